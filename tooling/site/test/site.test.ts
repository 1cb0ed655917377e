// The built site: every link, image and anchor leads somewhere, nothing comes from elsewhere, and five journeys in a real browser.
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { launchBrowser, SLOW } from "@oarlock-tooling/apps/browser";
import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { PAGES } from "../src/pages.ts";
import { fileOf, serveSite, type ServedSite } from "../src/serve.ts";
import { buildSite, SITE } from "./support/built-site.ts";
import { openPage, violations, type PageOptions } from "./support/site-page.ts";

vi.setConfig(SLOW);

/** What a first visit may load, in KB. */
const PAGE_BUDGET_KB = 700;

beforeAll(buildSite);

const htmlFiles = (): string[] => globSync("**/*.html", { cwd: SITE }).filter((file) => file !== "404.html");
const read = (file: string): string => readFileSync(join(SITE, file), "utf8");
const valuesOf = (html: string, attribute: string, tags: string): string[] =>
  [...html.matchAll(new RegExp(`<(?:${tags})\\b[^>]*?\\s${attribute}="([^"]*)"`, "g"))].map(([, value = ""]) =>
    value.replaceAll("&amp;", "&"),
  );
const idsOf = (html: string): Set<string> => new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = ""]) => id));

describe("the files", () => {
  test("each page of the list is there, as HTML and as Markdown", () => {
    for (const { path } of PAGES) {
      const { size } = statSync(join(SITE, `${path}.html`));
      expect(size, path).toBeGreaterThan(1000);
      expect(statSync(join(SITE, `${path}.md`)).size, path).toBeGreaterThan(100);
      if (path !== "index") expect(read("llms.txt")).toContain(`(${path}.md)`);
      expect(read("llms-full.txt")).toContain(readFileSync(join(SITE, `${path}.md`), "utf8").trim());
    }
  });

  test("each link within the site leads to a page and, where it names one, to a heading", () => {
    const wrong = htmlFiles().flatMap((file) => {
      const base = new URL(`http://site/${file}`);
      return valuesOf(read(file), "href", "a").flatMap((href) => {
        const url = new URL(href, base);
        if (url.origin !== base.origin) return [];
        const target = fileOf(SITE, decodeURIComponent(url.pathname));
        if (target === undefined) return [`${file}: ${href}`];
        const id = decodeURIComponent(url.hash.slice(1));
        return id === "" || idsOf(readFileSync(target, "utf8")).has(id) ? [] : [`${file}: ${href}`];
      });
    });
    expect(wrong).toEqual([]);
  });

  test("pages load nothing from elsewhere, and each image has a text", () => {
    for (const file of htmlFiles()) {
      const html = read(file);
      const loaded = [...valuesOf(html, "src", "script|img|source"), ...valuesOf(html, "href", "link")];
      expect(
        loaded.filter((address) => /^(?:https?:)?\/\//.test(address)),
        file,
      ).toEqual([]);
      for (const [image] of html.matchAll(/<img\b[^>]*>/g)) expect(image, file).toMatch(/\salt="[^"]+"/);
    }
  });
});

describe("in a browser", () => {
  let browser: Browser;
  let site: ServedSite;
  beforeAll(async () => {
    browser = await launchBrowser();
    site = await serveSite(SITE);
  });
  afterAll(async () => {
    await browser.close();
    await site[Symbol.asyncDispose]();
  });

  const open = (path: string, options?: PageOptions) => openPage(browser, site, path, options);

  const clickOn = async (page: Page, name: string): Promise<void> => {
    await page.locator(`::-p-aria(${name})`).click();
  };

  test("from the first page to the entry for a host", async () => {
    const { page, problems, loadedKb } = await open("/");
    expect(loadedKb()).toBeLessThan(PAGE_BUDGET_KB);
    await clickOn(page, "Use a server");
    expect(await violations(page)).toEqual([]);
    await page.locator('.VPFeature[href$="/servers/git"]').click();
    await page.waitForFunction(`document.querySelector("h1")?.textContent?.includes("git")`);
    expect(await page.$eval("main", (main) => main.textContent)).toContain("mcpServers");
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
    await page.close();
  });

  test("the search finds a tool by its name", async () => {
    const { page, problems } = await open("/guide/");
    await page.keyboard.press("/");
    await page.locator("#localsearch-input").fill("undo_change");
    await page.locator('.result[href*="servers/filesystem"]').click();
    await page.waitForFunction(`location.pathname.includes("filesystem")`);
    expect(problems).toEqual([]);
    await page.close();
  });

  test("from the guide to an example of the kit", async () => {
    const { page, problems } = await open("/guide/");
    expect(await violations(page)).toEqual([]);
    await page.locator('main a[href$="server-kit.html#quick-start"], main a[href$="server-kit#quick-start"]').click();
    await page.waitForFunction(`document.querySelector("main")?.textContent?.includes("defineServer")`);
    expect(problems).toEqual([]);
    await page.close();
  });

  test("the revisions stand side by side", async () => {
    const { page, problems } = await open("/protocol");
    expect(await page.$$eval("main table:first-of-type th", (cells) => cells.map((cell) => cell.textContent))).toContain("2026-07-28");
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
    await page.close();
  });

  test("on a telephone, in dark: the menu leads to another page", async () => {
    const { page, problems } = await open("/scaling", { width: 400, theme: "dark" });
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(`document.documentElement.scrollWidth`)).toBeLessThanOrEqual(400);
    await page.locator(".VPLocalNav .menu").click();
    await page.locator('.VPSidebar a[href$="/operate"]').click();
    await page.waitForFunction(`document.querySelector("h1")?.textContent?.includes("Operate")`);
    expect(problems).toEqual([]);
    await page.close();
  });
});
