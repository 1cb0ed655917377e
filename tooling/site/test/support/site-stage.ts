// The stage of the tests: the site, built from this repository and served, and a browser. One file uses it, as a build takes a minute.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { launchBrowser, SLOW } from "@oarlock-tooling/apps/browser";
import type { Browser } from "puppeteer-core";
import { afterAll, beforeAll, vi } from "vitest";
import { serveSite, type ServedSite } from "../../src/serve.ts";

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));
/** On a busy machine, beside other tests. */
const MAX_BUILD_MS = 600_000;

export const SITE: string = join(PACKAGE, "dist");

export interface SiteStage {
  readonly browser: Browser;
  readonly site: ServedSite;
}

/** Builds the site if the repository has changed, before the tests of the file; browser and server end after them. */
export function siteStage(): SiteStage {
  vi.setConfig(SLOW);
  let browser: Browser | undefined;
  let site: ServedSite | undefined;
  beforeAll(async () => {
    await promisify(execFile)(process.execPath, ["--conditions=oarlock-source", "src/build.ts", "--if-changed"], { cwd: PACKAGE });
    browser = await launchBrowser();
    site = await serveSite(SITE);
  }, MAX_BUILD_MS);
  afterAll(async () => {
    await browser?.close();
    await site?.[Symbol.asyncDispose]();
  });
  const started = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error("The site is not served yet.");
    return part;
  };
  return {
    get browser() {
      return started(browser);
    },
    get site() {
      return started(site);
    },
  };
}
