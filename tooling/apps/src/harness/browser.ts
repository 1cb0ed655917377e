// One Chromium for the tests of a file, without network besides loopback.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import chromium from "@sparticuz/chromium";
import { launch, type Browser } from "puppeteer-core";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--force-color-profile=srgb"];

const CACHE = fileURLToPath(new URL("../../node_modules/.cache", import.meta.url));
const UNPACKED = join(CACHE, "chromium-153");

/** Time limits for tests with a browser: on a busy machine, opening a page takes seconds. */
export const SLOW = { testTimeout: 300_000, hookTimeout: 120_000 };

export async function launchBrowser(): Promise<Browser> {
  const executablePath = await unpack();
  // Chromium leaves folders in the temporary folder, so it gets one of its own.
  const folder = mkdtempSync(join(tmpdir(), "oarlock-chromium-"));
  const env = { ...process.env, TMPDIR: folder };
  const browser = await launch({ executablePath, headless: "shell", args: FLAGS, env });
  browser.process()?.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return browser;
}

/** The package unpacks Chromium into the temporary folder and takes a file there for complete: test files that start together would clash. */
async function unpack(): Promise<string> {
  const executable = join(UNPACKED, "chromium");
  if (existsSync(executable)) return executable;
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, "unpacking-"));
  const { TMPDIR } = process.env;
  process.env["TMPDIR"] = folder;
  try {
    await chromium.executablePath();
    renameSync(folder, UNPACKED);
  } catch (error) {
    if (!existsSync(executable)) throw error; // otherwise another process was quicker
  } finally {
    if (TMPDIR === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = TMPDIR;
    rmSync(folder, { recursive: true, force: true });
  }
  return executable;
}
