// Every view in a host that lets views call no tools: it shows the result of the call, and names what is left out.
import { mkdirSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import type { Browser } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startBuiltServer } from "../src/built-server.ts";
import { DEMOS } from "../src/demo/demo-servers.ts";
import { launchBrowser, SLOW } from "../src/harness/browser.ts";
import { openView } from "../src/harness/open-view.ts";
import { startWebServer, type WebServer } from "../src/web-server.ts";
import { VIEW_CASES } from "./support/view-cases.ts";

vi.setConfig(SLOW);

let browser: Browser;
let web: WebServer;
beforeAll(async () => {
  [browser, web] = await Promise.all([launchBrowser(), startWebServer()]);
});
afterAll(async () => {
  await browser.close();
  await web[Symbol.asyncDispose]();
});

describe.each(DEMOS)("$server", ({ server, prepare }) => {
  test("lists the parts that are left out in each view, and calls no tool", async () => {
    await using folder = tempFolder();
    const home = folder.at(server);
    mkdirSync(home);
    const { args } = await prepare(home);
    await using listening = await startBuiltServer(server, [...args, "--allowed-origins", web.origin]);
    for (const each of VIEW_CASES.filter((other) => other.server === server)) {
      const call = { endpoint: listening.url.href, tool: each.tool, args: each.args(home, "without-tools") };
      await using view = await openView(browser, web.link(call, { callsTools: false, width: 400 }));
      await view.waitForState("ready");
      if (each.view === "blame") await view.click("Begin the list of boats");
      await view.waitForText(each.leftOut);
      expect(await view.calledTools(), each.view).toEqual([]);
      expect(await view.accessibilityViolations(), each.view).toEqual([]);
      expect(await view.problems(), each.view).toEqual([]);
    }
  });
});
