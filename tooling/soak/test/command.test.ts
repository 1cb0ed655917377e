/** Wrong usage of the soak command, which must not pass with a load on no server. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test.each([
  [["--only", "sqlight"], '--only: no server has "sqlight" in its name\n'],
  [["--only", "git", "--only", "sqlight"], '--only: no server has "sqlight" in its name\n'],
  [["--minutes", "soon"], "--minutes: expected a number above 0\n"],
  [["--shrot"], expect.stringMatching(/^Unknown option '--shrot'.*\n$/)],
])("%j", (args, sentence) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [fileURLToPath(new URL("../src/run.ts", import.meta.url)), ...args], {
    encoding: "utf8",
  });
  expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: "", stderr: sentence });
});
