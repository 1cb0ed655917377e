/** The exit of the soak command after wrong usage. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test("names the wrong option and exits with 2", () => {
  const run = fileURLToPath(new URL("../src/run.ts", import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [run, "--only", "sqlight"], { encoding: "utf8" });
  expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: "", stderr: '--only: no server has "sqlight" in its name\n' });
});
