// simple-git's guard, as it is asked here.
import { expect, test } from "vitest";
import { guarded } from "../../../src/repo/remote/argument-guard.ts";

test("commands as they are built pass", async () => {
  const push = ["push", "--porcelain", "--no-verify", "--force-with-lease", "--", "origin", "refs/heads/main:refs/heads/main"];
  expect(await guarded(push)).toBe(push);
});

test.each([["--upload-pack=touch x"], ["--receive-pack=x"], ["-c", "core.sshCommand=x"], ["--config=core.hooksPath=x"], ["--template=/x"]])(
  "%s does not",
  async (...bad) => {
    await expect(guarded(["clone", ...bad, "--", "https://example.org/x"])).rejects.toThrow("Refused: ");
  },
);
