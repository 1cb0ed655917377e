// When the change feed notifies: after changes of this process, after polls for changes of others, and again when the store was not readable.
import { renameSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { expect, test, vi } from "vitest";
import { ChangeFeed } from "../../../src/graph/watch/change-feed.ts";
import { openStore } from "../../../src/graph/store/open-store.ts";
import type { Store } from "../../../src/graph/store/store.ts";

/** The interval of polls for changes of others. */
const LOOK_EVERY = 300;

async function watched(act: (store: Store, notifications: () => number, file: string) => void): Promise<void> {
  await using folder = tempFolder();
  const store = await openStore(folder.at("m.db"));
  vi.useFakeTimers();
  const changes = new ChangeFeed(store);
  let count = 0;
  try {
    changes.watch({ kind: "entity", of: "a" }, () => count++);
    act(store, () => count, folder.at("m.db"));
  } finally {
    changes.close();
    vi.useRealTimers();
    store.close();
  }
}

const create = (store: Store): unknown => store.write("test", (call) => store.entities.insert(call.seq(), { name: "a", entityType: "t" }));

test.each([0, 1, 5, 10, 19, 20, 150, 299])("SUB-01 a change %i ms before the next poll is notified once", async (before) => {
  await watched((store, notifications) => {
    vi.advanceTimersByTime(LOOK_EVERY - before);
    create(store);
    vi.advanceTimersByTime(LOOK_EVERY);
    expect(notifications()).toBe(1);
    vi.advanceTimersByTime(4 * LOOK_EVERY);
    expect(notifications()).toBe(1);
  });
});

test("SUB-01 a change is notified later if the store cannot be read for a while", async () => {
  await watched((store, notifications, file) => {
    create(store);
    renameSync(file, `${file}.kept`);
    vi.advanceTimersByTime(10 * LOOK_EVERY);
    expect(notifications()).toBe(0);
    renameSync(`${file}.kept`, file);
    vi.advanceTimersByTime(2 * LOOK_EVERY);
    expect(notifications()).toBe(1);
  });
});
