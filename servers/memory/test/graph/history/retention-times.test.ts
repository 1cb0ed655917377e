// When old history is removed, and what the operator is told.
import { tempFolder } from "@oarlock/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { forgottenReport, Retention } from "../../../src/graph/history/retention.ts";
import { Memory } from "../../../src/graph/memory.ts";
import { runAtOnce } from "../../../src/graph/store/time-slices.ts";
import { createEntities } from "../../../src/graph/write/creation.ts";
import { deleteEntities } from "../../../src/graph/write/deletion.ts";
import { entity } from "../../support/graphs.ts";

// Only these: the time of day decides what is old.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** A memory whose history is kept for no time at all, and what is told about it. */
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
    async forget(name: string): Promise<void> {
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

test("a second after the memory was opened, and then every hour, where there is something to remove", async () => {
  await using at = opened();
  await at.forget("Ada");
  vi.advanceTimersByTime(900);
  expect(vi.getTimerCount()).toBeGreaterThan(0);
  vi.advanceTimersByTime(100);
  await vi.waitFor(() => expect(at.reports).toEqual([ONE]));
  await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
  vi.advanceTimersByTime(3_600_000);
  await at.memory.forgetHistory(0); // behind the pass
  expect(at.reports).toEqual([ONE]);
  await at.forget("Ben");
  await vi.waitFor(() => {
    vi.advanceTimersByTime(3_600_000);
    expect(at.reports).toEqual([ONE, ONE]);
  });
  expect(at.warnings).toEqual([]);
});

test("never after it was stopped", async () => {
  await using at = opened();
  await at.forget("Ada");
  await at.retention.stop();
  vi.advanceTimersByTime(10_000);
  expect(at.reports).toEqual([]);
  expect((await at.memory.forgetHistory(Date.now() + 1000)).entities).toBe(1);
});

test("a removal under way stops between two transactions; the stop waits for it, and none follows", async () => {
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
  expect((await at.memory.forgetHistory(Date.now() + 1000)).entities).toBe(600);
});

test("a failure is told, and does not end the process", async () => {
  await using at = opened();
  const { store } = await at.memory.open();
  store.setMeta = () => {
    throw new Error("no room"); // as with a full disk
  };
  await at.forget("Ada");
  vi.advanceTimersByTime(1000);
  await vi.waitFor(() => expect(at.warnings).toEqual(["Old history was not removed: no room"]));
});

test("the report counts in words", () => {
  expect(forgottenReport({ entities: 2, observations: 0, relations: 1 })).toBe(
    "Old history removed: 2 deleted entities, 0 past observations, 1 past relation.",
  );
});
