// Every view of the demo in a second host: the web page of the official Inspector.
import { mkdirSync } from "node:fs";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import type { Browser } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startBuiltServer } from "../src/built-server.ts";
import { DEMOS } from "../src/demo/demo-servers.ts";
import { launchBrowser, SLOW } from "../src/harness/browser.ts";
import { startInspector, type InspectorHost } from "../src/harness/inspector-host.ts";

vi.setConfig(SLOW);

let folder: TempFolder;
let browser: Browser;
let inspector: InspectorHost;
beforeAll(async () => {
  folder = tempFolder();
  [browser, inspector] = await Promise.all([launchBrowser(), startInspector()]);
});
afterAll(async () => {
  await browser.close();
  await inspector[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

describe.each(DEMOS)("$server", ({ server, prepare }) => {
  test("each view is shown from a real call", async () => {
    const home = folder.at(server);
    mkdirSync(home);
    const { args, views } = await prepare(home);
    await using listening = await startBuiltServer(server, [...args, "--allowed-origins", inspector.origin]);
    for (const { tool, args: given } of views) {
      await using view = await inspector.show(browser, { endpoint: listening.url.href, tool, args: given });
      await view.waitForState("ready");
      expect(await view.accessibilityViolations(), tool).toEqual([]);
      expect(await view.problems(), tool).toEqual([]);
    }
  });
});
