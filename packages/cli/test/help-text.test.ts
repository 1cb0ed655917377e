/** Tests --help and --version. */
import { expect, test } from "vitest";
import { SHARED } from "../src/shared-flags.ts";
import { switchesOf } from "../src/flags.ts";
import { run } from "./support/sample-in-memory.ts";

test("names every switch in --help with its environment variable, meaning and default", async () => {
  const { code, stdout, stderr } = await run(["--help"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  for (const { name, env, flag } of switchesOf(SHARED)) {
    for (const part of [`--${name}`, env, flag.help]) expect(stdout).toContain(part);
  }
  expect(stdout).toContain("Usage: sample [options] [DIR[:ro]…]\n\n  DIR[:ro]…\n      folders to serve\n");
  expect(stdout).toContain("  --deny GLOB\n      hide what matches (may be given several times)\n      OARLOCK_DENY, comma separated\n");
  expect(stdout).toContain("  --roots narrow|replace|ignore\n      what the client's folders do\n      OARLOCK_ROOTS; default narrow\n");
  expect(stdout).toContain("OARLOCK_RATE_LIMIT; default 5000/s\n");
  expect(stdout).not.toContain("undefined");
});

test.each([["-h"], ["--help", "--nonsense"], ["--timeout", "0", "--help"]])(
  "prints help for %s %s %s, even if another argument is wrong",
  async (...args) => {
    expect((await run(args)).stdout).toContain("Usage: sample");
  },
);

test("prints only the version with --version", async () => {
  expect(await run(["--version"])).toEqual({ code: 0, stdout: "1.2.3\n", stderr: "" });
  expect(await run([], { env: { OARLOCK_VERSION: "1" } })).toEqual({ code: 0, stdout: "1.2.3\n", stderr: "" });
});
