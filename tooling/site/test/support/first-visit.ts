// A first visit to a page, with an empty cache: what it transfers, and when it paints.
import type { Browser } from "puppeteer-core";

export interface FirstVisit {
  readonly paths: readonly string[];
  /** As compressed by the server, with response heads. */
  readonly transferredKb: number;
  readonly firstPaintMs: number;
}

export async function firstVisit(browser: Browser, url: string): Promise<FirstVisit> {
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
    const paint = await page.evaluate(`performance.getEntriesByName("first-contentful-paint")[0].startTime`);
    return { paths, transferredKb: Math.round(bytes / 1024), firstPaintMs: Math.round(Number(paint)) };
  } finally {
    await context.close();
  }
}
