// When old history is removed, and what is reported to the operator.
import { tempFolder } from "@oarlock/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { prunedReport, Retention } from "../../../src/graph/history/retention.ts";
import { Memory } from "../../../src/graph/memory.ts";
import { runAtOnce } from "../../support/run-at-once.ts";
import { createEntities } from "../../../src/graph/write/creation.ts";
import { deleteEntities } from "../../../src/graph/write/deletion.ts";
import { entity } from "../../support/graphs.ts";

// Only these: the time of day decides what is old.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** A memory whose history is kept for no time at all, and its reports. */
function opened() {
  const folder = tempFolder();
  const memory = new Memory({ location: { database: folder.at("m.db") } });
  const [reports, warnings]: [string[], string[]] = [[], []];
  const retention = new Retention(memory, {
    keepMs: -1000,
    report: (message) => void reports.push(message),
    warn: (message) => void warnings.push(message),
  });
  return {
    memory,
    retention,
    reports,
    warnings,
    async deleteEntity(name: string): Promise<void> {
      await memory.write("test", (store, call) => runAtOnce(createEntities(store, call, [entity(name, "t", "x")])));
      await memory.write("test", (store, call) => runAtOnce(deleteEntities(store, call, [name])));
    },
    async [Symbol.asyncDispose]() {
      await retention.stop();
      await memory.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const ONE = "Old history removed: 1 deleted entity, 1 past observation, 0 past relations.";

test("removes history a second after the start, and then every hour", async () => {
  await using at = opened();
  await at.deleteEntity("Ada");
  vi.advanceTimersByTime(900);
  expect(vi.getTimerCount()).toBeGreaterThan(0);
  vi.advanceTimersByTime(100);
  await vi.waitFor(() => expect(at.reports).toEqual([ONE]), 30_000);
  await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0), 30_000);
  vi.advanceTimersByTime(3_600_000);
  await at.memory.pruneHistory(0); // behind the pass
  expect(at.reports).toEqual([ONE]);
  await at.deleteEntity("Ben");
  await vi.waitFor(() => {
    vi.advanceTimersByTime(3_600_000);
    expect(at.reports).toEqual([ONE, ONE]);
  }, 30_000);
  expect(at.warnings).toEqual([]);
});

test("removes nothing after it was stopped", async () => {
  await using at = opened();
  await at.deleteEntity("Ada");
  await at.retention.stop();
  vi.advanceTimersByTime(10_000);
  expect(at.reports).toEqual([]);
  expect((await at.memory.pruneHistory(Date.now() + 1000)).entities).toBe(1);
});

test("stops a removal between two transactions", async () => {
  await using at = opened();
  const names = Array.from({ length: 1100 }, (_, index) => `e${index}`);
  const created = names.map((name) => entity(name, "t"));
  await at.memory.write("test", (store, call) => runAtOnce(createEntities(store, call, created)));
  await at.memory.write("test", (store, call) => runAtOnce(deleteEntities(store, call, names)));
  const { store } = await at.memory.open();
  const setMeta = store.setMeta.bind(store);
  const stopped = new Promise<readonly string[]>((resolve) => {
    // A transaction that removed something ends with this.
    store.setMeta = (...entry) => {
      setMeta(...entry);
      void at.retention.stop().then(() => resolve([...at.reports]));
    };
  });
  vi.advanceTimersByTime(1000);
  expect(await stopped).toEqual(["Old history removed: 500 deleted entities, 0 past observations, 0 past relations."]);
  expect(vi.getTimerCount()).toBe(0);
  expect((await at.memory.pruneHistory(Date.now() + 1000)).entities).toBe(600);
});

test("reports a failure and goes on", async () => {
  await using at = opened();
  const { store } = await at.memory.open();
  store.setMeta = () => {
    throw new Error("no room"); // as with a full disk
  };
  await at.deleteEntity("Ada");
  vi.advanceTimersByTime(1000);
  await vi.waitFor(() => expect(at.warnings).toEqual(["Old history was not removed: no room"]), 30_000);
});

test("reports counts in words", () => {
  expect(prunedReport({ entities: 2, observations: 0, relations: 1 })).toBe(
    "Old history removed: 2 deleted entities, 0 past observations, 1 past relation.",
  );
});
