// Journeys of users through the site, in a real browser.
import type { Page } from "puppeteer-core";
import { expect, test } from "vitest";
import { openPage, violations, type PageOptions } from "./site-page.ts";
import type { SiteStage } from "./site-stage.ts";

export function testJourneys(stage: SiteStage): void {
  const open = (path: string, options?: PageOptions) => openPage(stage.browser, stage.site, path, options);

  const clickOn = async (page: Page, name: string): Promise<void> => {
    await page.locator(`::-p-aria(${name})`).click();
  };

  test("from the first page to the entry for a host", async () => {
    const { page, problems } = await open("/");
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
}
