// How soon changes are notified, and how often. `watcher.test.ts` has every revision and every kind of change.
import { setTimeout as sleep } from "node:timers/promises";
import { expectWithin } from "@oarlock-tooling/test-support/expect-within";
import { waitUntil } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { world, type World } from "../../support/world.ts";

async function watched(at: World, kind: string): Promise<{ count: number }> {
  const seen = { count: 0 };
  const address = `git:///project/${kind}`;
  await at.client.subscribe(address, (uri) => {
    expect(uri).toBe(address);
    seen.count++;
  });
  return seen;
}

/** Each change is notified, and once of three times within 4 seconds; `act` knows how often it was done before. */
const expectNotified = async (seen: { count: number }, act: (tried: number) => unknown): Promise<void> => {
  let tried = 0;
  await expectWithin(4000, async () => {
    const before = seen.count;
    await act(tried++);
    await waitUntil(
      () => seen.count,
      (count) => count > before,
      20_000,
    );
  });
};

describe.each(["2025-11-25", "2026-07-28"])("in %s", (revision) => {
  test("SUB-01 notifies status of edits, new files, staging and commits within 4 seconds, and of nothing after unsubscribe", async () => {
    await using at = await world({ tree: { "a.txt": "a\n" }, revision });
    const { repository } = at;
    const seen = await watched(at, "status");
    await expectNotified(seen, (tried) => repository.write({ "a.txt": `A${tried}\n` }));
    await expectNotified(seen, (tried) => repository.write({ [`new-${tried}.txt`]: "n\n" }));
    await expectNotified(seen, (tried) => (tried % 2 === 0 ? repository.git("add", "-A") : repository.git("reset", "--quiet")));
    repository.git("add", "-A");
    await expectNotified(seen, (tried) => at.call("git_commit", { message: "by the server", allow_empty: tried > 0 }));
    expect((await at.client.read("git:///project/status")).contents).toMatchObject([
      { text: "On branch main\nnothing to commit, working tree clean" },
    ]);
    await at.client.unsubscribe("git:///project/status");
    const { count } = seen;
    repository.write({ "a.txt": "again\n" });
    await sleep(2500);
    expect(seen.count).toBe(count);
  });

  test("notifies refs of branches, tags, commits and switching; limits notifications of 400 quick changes", async () => {
    await using at = await world({ tree: { "a.txt": "a\n" }, revision });
    const { repository } = at;
    const seen = await watched(at, "refs");
    await expectNotified(seen, (tried) => repository.git("branch", `side-${tried}`));
    await expectNotified(seen, (tried) => repository.git("tag", `v${tried}`));
    await expectNotified(seen, (tried) => repository.git("checkout", "--quiet", tried % 2 === 0 ? "side-0" : "main"));
    await expectNotified(seen, (tried) => repository.commit("second", { b: `b${tried}` }));
    const before = seen.count;
    const orders = Array.from({ length: 400 }, (_, n) => `create refs/heads/quick-${n} HEAD\n`);
    for (let n = 0; n < 400; n += 20) repository.raw(["update-ref", "--stdin"], { input: orders.slice(n, n + 20).join("") });
    await waitUntil(
      () => seen.count,
      (count) => count > before,
      20_000,
    );
    await sleep(2500);
    expect(seen.count - before).toBeLessThan(60);
    // The last state was notified: a read returns it.
    const [contents] = (await at.client.read("git:///project/refs")).contents;
    expect(contents).toMatchObject({ text: expect.stringContaining("refs/heads/quick-399") });
  });
});
