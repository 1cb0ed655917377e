// A page of the site in a real browser, with what goes wrong on it.
import axe from "axe-core";
import type { Browser, Page } from "puppeteer-core";
import type { ServedSite } from "../../src/serve.ts";

export interface PageOptions {
  width?: number;
  theme?: "light" | "dark";
}

export interface OpenPage {
  readonly page: Page;
  /** Errors and warnings of the console, and requests to other origins. */
  readonly problems: string[];
}

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

export async function openPage(browser: Browser, site: ServedSite, path: string, options: PageOptions = {}): Promise<OpenPage> {
  const page = await browser.newPage();
  await show(page, options);
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warn") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== site.origin && protocol !== "data:") problems.push(`outside: ${request.url()}`);
  });
  await page.goto(`${site.origin}${path}`, { waitUntil: "networkidle0" });
  return { page, problems };
}

/** Sets the size and the colours of a page. */
export async function show(page: Page, { width = 1200, theme = "light" }: PageOptions): Promise<void> {
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
}

/** What axe finds wrong on the page as it is. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const results = (await page.evaluate("axe.run()")) as AxeResults;
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
