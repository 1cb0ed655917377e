// Set-ups for the tests of doctor: home folders with files of hosts, and the checks that fail there.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect } from "vitest";
import { run } from "./sample-server.ts";

export interface Report {
  ok: boolean;
  checks: { name: string; ok: boolean; message: string; remedy?: string }[];
}

const folder = mkdtempSync(join(tmpdir(), "doctor-"));
afterAll(() => rmSync(folder, { recursive: true }));
let homes = 0;

/** A home folder with these files. */
export function homeWith(files: Readonly<Record<string, string>> = {}): string {
  const home = join(folder, `home-${homes++}`);
  mkdirSync(home);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), content);
  }
  return home;
}

/** The failed checks. The exit code, `ok` and the remedies always fit them. */
export async function failures(args: readonly string[], HOME = homeWith(), env: Record<string, string> = {}): Promise<Report["checks"]> {
  const before = readdirSync(HOME, { recursive: true });
  const { code, stdout, stderr } = await run(["doctor", "--json", ...args], { env: { HOME, ...env }, cwd: HOME });
  expect(stderr).toBe("");
  const { ok, checks } = JSON.parse(stdout) as Report; // the report under test
  const failed = checks.filter((check) => !check.ok);
  expect({ code, ok }).toEqual(failed.length === 0 ? { code: 0, ok: true } : { code: 1, ok: false });
  for (const { remedy = "" } of failed) expect(remedy).not.toBe("");
  expect(readdirSync(HOME, { recursive: true })).toEqual(before);
  return failed;
}

/** A file of Cursor with one entry. */
export const cursor = (entry: unknown, name = "sample"): string => JSON.stringify({ mcpServers: { [name]: entry } });
