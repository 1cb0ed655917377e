// Subscriptions to status and refs: which changes are notified, by other programs too. `watcher.deep.test.ts` shows how soon.
import { everyRevision, tempFolder, waitUntil } from "@oarlock/testing";
import { expect, test } from "vitest";
import { Watcher, type WatchTarget } from "../../../src/repo/watch/watcher.ts";
import { world, type World, type WorldOptions } from "../../support/world.ts";

interface Notices {
  count: number;
}

/** Comparisons follow each other quickly, so that no test waits for one. */
const subscribable = (options: WorldOptions = {}): Promise<World> => world({ tree: { "a.txt": "a\n" }, lookMs: 10, ...options });

async function subscribe({ client }: World, kind: string): Promise<Notices> {
  const seen = { count: 0 };
  const address = `git:///project/${kind}`;
  await client.subscribe(address, (uri) => {
    expect(uri).toBe(address);
    seen.count++;
  });
  return seen;
}

async function expectNotified(seen: Notices, act: () => unknown): Promise<void> {
  const before = seen.count;
  await act();
  await waitUntil(
    () => seen.count,
    (count) => count > before,
  );
}

everyRevision("SUB-01 notifies status of an edit, and of nothing after unsubscribe", async (revision) => {
  await using at = await subscribable({ revision });
  const { repository } = at;
  const status = await subscribe(at, "status");
  const refs = await subscribe(at, "refs");
  await expectNotified(status, () => repository.write({ "a.txt": "edited\n" }));
  await at.client.unsubscribe("git:///project/status");
  const { count } = status;
  repository.write({ "a.txt": "again\n" });
  // Changes that are still notified show that time has passed.
  for (const name of ["one", "two"]) await expectNotified(refs, () => repository.git("branch", name));
  expect(status.count).toBe(count);
});

test("notifies status of new files, staging and commits", async () => {
  await using at = await subscribable();
  const { repository } = at;
  const seen = await subscribe(at, "status");
  await expectNotified(seen, () => repository.write({ "new.txt": "n\n" }));
  await expectNotified(seen, () => repository.git("add", "-A"));
  await expectNotified(seen, () => at.call("git_commit", { message: "by the server" }));
  expect((await at.client.read("git:///project/status")).contents).toMatchObject([
    { text: "On branch main\nnothing to commit, working tree clean" },
  ]);
});

test("notifies refs of branches, tags, commits and switching", async () => {
  await using at = await subscribable();
  const { repository } = at;
  const seen = await subscribe(at, "refs");
  await expectNotified(seen, () => repository.git("branch", "side"));
  await expectNotified(seen, () => repository.git("tag", "v1"));
  await expectNotified(seen, () => repository.git("checkout", "--quiet", "side"));
  await expectNotified(seen, () => repository.commit("second", { b: "b" }));
  const [contents] = (await at.client.read("git:///project/refs")).contents;
  expect(contents).toMatchObject({ text: expect.stringContaining("refs/heads/side") });
});

test("refuses a subscription to an unknown repository", async () => {
  await using at = await world({ tree: { a: "a" } });
  await expect(at.client.subscribe("git:///other/status", () => {})).rejects.toThrow(/not found/i);
  await expect(at.client.subscribe("git:///project/commit/HEAD", () => {})).rejects.toThrow(/cannot be subscribed/i);
});

/** A state that the test sets, read without a file. */
function changeable(path: string): { state: string; reads: number; target: WatchTarget } {
  const own = {
    state: "first",
    reads: 0,
    target: {
      read: async () => {
        own.reads++;
        return own.state;
      },
      paths: () => [path],
    },
  };
  return own;
}

test("compares states on a file event before the next regular time", async () => {
  await using folder = tempFolder({ file: "" });
  const watcher = new Watcher({ lookMs: 3_600_000 });
  const seen = { count: 0 };
  const own = changeable(folder.path);
  await watcher.watch(own.target, () => seen.count++);
  own.state = "second";
  // The first events may come before the watch of the operating system is established.
  await waitUntil(
    () => {
      folder.write({ file: `${Math.random()}` });
      return seen.count;
    },
    (count) => count === 1,
  );
  await watcher.close();
});

test("reads nothing more for an ended subscription, and notifies no unchanged state", async () => {
  await using folder = tempFolder();
  const watcher = new Watcher({ lookMs: 1 });
  const [ended, other] = [changeable(folder.at("none")), changeable(folder.at("none"))];
  const notified: string[] = [];
  const stop = await watcher.watch(ended.target, () => notified.push("ended"));
  await watcher.watch(other.target, () => notified.push("other"));
  stop();
  ended.state = "second";
  const { reads } = ended;
  const later = other.reads + 20;
  await waitUntil(
    () => other.reads,
    (count) => count > later,
  );
  expect(notified).toEqual([]);
  other.state = "second";
  await waitUntil(
    () => notified.length,
    (count) => count > 0,
  );
  expect([notified, ended.reads]).toEqual([["other"], reads]);
  await watcher.close();
});
