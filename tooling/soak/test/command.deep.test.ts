/** The soak command as a process: help, and wrong usage. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const run = fileURLToPath(new URL("../src/run.ts", import.meta.url));
const soak = (...args: string[]) => spawnSync(process.execPath, [run, ...args], { encoding: "utf8" });

test("names the wrong option and exits with 2", () => {
  const { status, stdout, stderr } = soak("--only", "sqlight");
  expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: "", stderr: '--only: no server has "sqlight" in its name\n' });
});

test("prints the options for --help and exits with 0", () => {
  expect(soak("--help", "--only", "sqlight")).toMatchObject({ status: 0, stdout: expect.stringContaining("--minutes N"), stderr: "" });
});
