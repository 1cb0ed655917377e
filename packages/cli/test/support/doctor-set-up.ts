// Set-ups for the tests of doctor: home folders with files of hosts, and the checks that fail there.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import type { Ended } from "./sample-client.ts";

export interface Report {
  ok: boolean;
  checks: { name: string; ok: boolean; message: string; remedy?: string }[];
}

interface SetUp {
  /** A home folder with these files. */
  homeWith(files?: Readonly<Record<string, string>>): string;
  /** The failed checks. The exit code, `ok` and the remedies always fit them. */
  failures(args: readonly string[], home?: string, env?: Record<string, string>): Promise<Report["checks"]>;
}

type Run = (args: readonly string[], options: { env: Record<string, string>; cwd: string }) => Promise<Ended>;

/** For the tests of one file; call it at the top of the file. */
export function doctorSetUp(run: Run): SetUp {
  let folder: string;
  let homes = 0;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "doctor-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function homeWith(files: Readonly<Record<string, string>> = {}): string {
    const home = join(folder, `home-${homes++}`);
    mkdirSync(home);
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), content);
    }
    return home;
  }

  return {
    homeWith,
    async failures(args, HOME = homeWith(), env = {}) {
      const before = readdirSync(HOME, { recursive: true });
      const { code, stdout, stderr } = await run(["doctor", "--json", ...args], { env: { ...homeVariables(HOME), ...env }, cwd: HOME });
      expect(stderr).toBe("");
      const { ok, checks } = JSON.parse(stdout) as Report; // the report under test
      const failed = checks.filter((check) => !check.ok);
      expect({ code, ok }).toEqual(failed.length === 0 ? { code: 0, ok: true } : { code: 1, ok: false });
      for (const { remedy = "" } of failed) expect(remedy).not.toBe("");
      expect(readdirSync(HOME, { recursive: true })).toEqual(before);
      return failed;
    },
  };
}

/** The variables that name a home folder, on every operating system. */
export const homeVariables = (home: string): Record<string, string> => ({
  HOME: home,
  USERPROFILE: home,
  APPDATA: join(home, "AppData", "Roaming"),
  LOCALAPPDATA: join(home, "AppData", "Local"),
});

/** A file of Cursor with one entry. */
export const cursor = (entry: unknown, name = "sample"): string => JSON.stringify({ mcpServers: { [name]: entry } });
