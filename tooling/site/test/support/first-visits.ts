// First visits to pages, each with an empty cache: what they transfer.
import type { Browser } from "puppeteer-core";
import { expect, test } from "vitest";
import { expectWithinBudgets } from "../../../budgets/test/support/budget.ts";
import type { SiteStage } from "./site-stage.ts";

/** The chunks of the playground. */
const EDITOR = /\/chunks\/playground\./;
const WORKER = /\/worker-/;

interface FirstVisit {
  readonly paths: readonly string[];
  /** As compressed by the server, with response heads. */
  readonly transferredKb: number;
}

async function firstVisit(browser: Browser, url: string): Promise<FirstVisit> {
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    const paths: string[] = [];
    let bytes = 0;
    const session = await page.createCDPSession();
    await session.send("Network.enable");
    session.on("Network.requestWillBeSent", ({ request }) => paths.push(new URL(request.url).pathname));
    session.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
    await page.goto(url, { waitUntil: "networkidle0" });
    return { paths, transferredKb: Math.round(bytes / 1024) };
  } finally {
    await context.close();
  }
}

export function testFirstVisits(stage: SiteStage): void {
  // The first page with pages that its links lead to, which VitePress loads ahead.
  test.each(["/", "/servers/filesystem", "/guide/", "/performance", "/playground"])(
    "a first visit to %s transfers little",
    async (path) => {
      const { transferredKb, paths } = await firstVisit(stage.browser, `${stage.site.origin}${path}`);
      expect(transferredKb).toBeGreaterThan(20);
      expectWithinBudgets([{ what: `first visit to ${path}`, measured: transferredKb, unit: "KB" }]);
      expect(paths.some((one) => EDITOR.test(one))).toBe(path === "/playground");
      expect(paths.filter((one) => WORKER.test(one))).toEqual([]); // loaded when the user runs a server
    },
  );
}
