// The second check of arguments, by simple-git's rules.
import { expect, test } from "vitest";
import { checkedArguments } from "../../../src/repo/remote/argument-check.ts";

test("accepts the commands that this server builds", async () => {
  const push = ["push", "--porcelain", "--no-verify", "--force-with-lease", "--", "origin", "refs/heads/main:refs/heads/main"];
  expect(await checkedArguments(push)).toBe(push);
});

test.each([["--upload-pack=touch x"], ["--receive-pack=x"], ["-c", "core.sshCommand=x"], ["--config=core.hooksPath=x"], ["--template=/x"]])(
  "refuses %s",
  async (...bad) => {
    await expect(checkedArguments(["clone", ...bad, "--", "https://example.org/x"])).rejects.toThrow("Refused: ");
  },
);
