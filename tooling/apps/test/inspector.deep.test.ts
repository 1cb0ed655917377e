// Every view in a second host: the web page of the official Inspector. The long tier adds a second look there, the legacy era of further servers, and an
// edit that the Inspector cannot ask about: in every run the tests of a view show all of it in our host.
import { mkdirSync } from "node:fs";
import { isLong } from "@oarlock-tooling/test-support/long-tier";
import type { ListeningServer } from "@oarlock-tooling/test-support/server-process";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import type { Browser } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startBuiltServer } from "../src/built-server.ts";
import { DEMOS } from "../src/demo/demo-servers.ts";
import { launchBrowser, SLOW } from "../src/harness/browser.ts";
import { startInspector, type InspectorHost } from "./support/inspector-host.ts";
import type { ShownView } from "../src/harness/open-view.ts";
import { recordMessages, type RecordedMessage } from "./support/recording-proxy.ts";
import { startAskingServer } from "./support/asking-server.ts";
import { VIEW_CASES } from "./support/view-cases.ts";

vi.setConfig(SLOW);

const ERAS = [{ era: "modern" }, { era: "legacy" }] as const;
/** The tests of each view show all looks in our host. */
const LOOKS = [
  { theme: "light", width: 400 },
  { theme: "dark", width: 1200 },
] as const;
type Look = (typeof LOOKS)[number];
/** A look does not depend on the era, so the legacy era shows one. The view is used in its last look. */
const looksOf = (era: "modern" | "legacy"): readonly Look[] => (isLong && era === "modern" ? LOOKS : LOOKS.slice(0, 1));

const LEGACY_SERVERS = isLong ? DEMOS.map(({ server }) => server) : ["sqlite"];

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

/** What the server was sent in an era: with a handshake or without one, and the header of one revision. */
function expectEra(messages: readonly RecordedMessage[], era: "modern" | "legacy"): void {
  const isModern = era === "modern";
  expect(messages.filter(({ method }) => method === "initialize")).toHaveLength(isModern ? 0 : 1);
  const versions = messages.filter(({ method }) => method !== "initialize").map(({ version }) => version);
  expect(new Set(versions)).toEqual(new Set([isModern ? "2026-07-28" : "2025-11-25"]));
}

async function expectLook(view: ShownView, { theme, width }: Look): Promise<void> {
  expect(await view.frame.evaluate("[document.documentElement.dataset.theme, innerWidth]")).toEqual([theme, width]);
  expect(await view.overflow()).toBe(0);
  expect(await view.accessibilityViolations()).toEqual([]);
}

describe.each(DEMOS)("$server", ({ server, prepare }) => {
  let listening: ListeningServer;
  let home: string;
  beforeAll(async () => {
    home = folder.at(server);
    mkdirSync(home);
    const { args } = await prepare(home);
    // Its modern era fulfils no input request of a call by a view (see below), and these servers request roots.
    const roots = server === "git" || server === "filesystem" ? ["--roots", "ignore"] : [];
    listening = await startBuiltServer(server, [...args, ...roots]);
  });
  afterAll(() => listening[Symbol.asyncDispose]());

  // The era is that of the connection, whichever view is shown: in the legacy one a view suffices.
  const views = VIEW_CASES.filter((each) => each.server === server);
  const cases = [
    ...views.map((each) => ({ ...each, era: "modern" as const })),
    ...views.slice(0, LEGACY_SERVERS.includes(server) ? 1 : 0).map((each) => ({ ...each, era: "legacy" as const })),
  ];
  test.each(cases)("shows the view $view and lets it call tools, $era era", async ({ era, tool, args, shows, use, calls }) => {
    await using proxy = await recordMessages(listening.url);
    const call = { endpoint: proxy.url.href, era, tool, args: args(home, era) };
    await using page = await inspector.open(browser, call);
    let view: ShownView | undefined;
    const looks = looksOf(era);
    for (const look of looks) {
      view = await page.show(look);
      await view.waitForState("ready");
      await view.waitForText(shows);
      await expectLook(view, look);
    }
    if (view !== undefined) await use(view, home, era);
    expect(await view?.problems()).toEqual([]);
    const called = proxy.messages.flatMap((message) => message.tool ?? []);
    expect(called.filter((name) => name === tool).length).toBeGreaterThanOrEqual(looks.length);
    expect([...new Set(called)]).toEqual([...new Set([tool, ...calls])]);
    expectEra(proxy.messages, era);
  });
});

describe("an edit that the server asks about", () => {
  test.each(isLong ? ERAS : ERAS.slice(1))("is not made when the user declines, $era era", async ({ era }) => {
    await using asking = await startAskingServer();
    await using proxy = await recordMessages(asking.url);
    const args = { edits: ["two"], dryRun: true };
    await using page = await inspector.open(browser, { endpoint: proxy.url.href, era, tool: "edit_file", args });
    const view = await page.show({ theme: "light", width: 400 });
    await view.click("Apply");
    if (era === "legacy") {
      await page.answer("Decline");
      await view.waitForText("The edit was declined; the file is unchanged.");
    } else {
      // The Inspector 2.12.0 shows the input requests of its own calls only: its client has `inputRequired.autoFulfill` off.
      await view.waitForText(
        "No result of the edit: it may have been made. Read the file before you try again. Unsupported result type 'input_required'",
      );
    }
    expect(asking.edits()).toBe(0);
    expect(await view.problems()).toEqual([]);
    expectEra(proxy.messages, era);
  });
});
