// A lock that another git holds is an error now, not after a wait.
import { expect, test } from "vitest";
import { world } from "../../support/world.ts";

test("names a foreign lock without a wait", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  at.repository.write({ "a.txt": "A\n", ".git/index.lock": "" });
  const from = performance.now();
  for (const [name, args] of [
    ["git_add", { files: ["a.txt"] }],
    ["git_commit", { message: "x", allow_empty: true }],
    ["git_reset", {}],
    ["git_stash", { action: "push" }],
  ] as const)
    expect(await at.failure(name, args)).toContain("Another git process holds the lock .git/index.lock");
  expect(performance.now() - from).toBeLessThan(6000);
});
