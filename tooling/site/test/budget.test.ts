// Budgets of the site: how much a first visit to a page transfers, and when it paints.
import { launchBrowser, SLOW } from "@oarlock-tooling/apps/browser";
import type { Browser } from "puppeteer-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { serveSite, type ServedSite } from "../src/serve.ts";
import { buildSite, SITE } from "./support/built-site.ts";
import { firstVisit } from "./support/first-visit.ts";

vi.setConfig(SLOW);

/** The chunks of the playground. */
const EDITOR = /\/chunks\/playground\./;
const WORKER = /\/worker-/;

let browser: Browser;
let site: ServedSite;

beforeAll(async () => {
  await buildSite();
  browser = await launchBrowser();
  site = await serveSite(SITE);
});
afterAll(async () => {
  await browser.close();
  await site[Symbol.asyncDispose]();
});

test.each([
  ["/", 340], // with pages that its links lead to, which VitePress loads ahead
  ["/servers/filesystem", 250],
  ["/guide/", 220],
  ["/performance", 240],
  ["/playground", 370],
])("a first visit to %s transfers at most %i KB", async (path, budgetKb) => {
  const { transferredKb, firstPaintMs, paths } = await firstVisit(browser, `${site.origin}${path}`);
  // Times depend on the machine, so they are only printed.
  console.log(`${path}: ${transferredKb} KB transferred, first contentful paint after ${firstPaintMs} ms`);
  expect(transferredKb).toBeGreaterThan(20);
  expect(transferredKb).toBeLessThanOrEqual(budgetKb);
  expect(paths.some((one) => EDITOR.test(one))).toBe(path === "/playground");
  expect(paths.filter((one) => WORKER.test(one))).toEqual([]); // loaded when the user runs a server
});
