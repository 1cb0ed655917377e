// The history of one entity: which events, in which order, and how many fit.
import { expect, test } from "vitest";
import { entityHistory, type HistoryOptions } from "../../../src/graph/history/entity-history.ts";
import { addObservations, createEntities } from "../../../src/graph/write/creation.ts";
import { createRelations } from "../../../src/graph/write/relation-creation.ts";
import { deleteEntities, deleteRelations } from "../../../src/graph/write/deletion.ts";
import { updateEntities, type EntityUpdate } from "../../../src/graph/write/update.ts";
import { entity, relation } from "../../support/graphs.ts";
import { openMemory, type OpenMemory } from "../../support/open-memory.ts";

const historyOf = ({ store }: OpenMemory, options: Partial<HistoryOptions> = {}) =>
  entityHistory(store, { entityName: "Ana", maxBytes: 100_000, ...options });

/** Events without their times. */
const eventsOf = (opened: OpenMemory, options: Partial<HistoryOptions> = {}): unknown[] =>
  historyOf(opened, options).events.map((event) => ({ ...event, at: undefined }));

const update = ({ change }: OpenMemory, ...updates: EntityUpdate[]) =>
  // oxlint-disable-next-line require-yield
  change(function* (store, call) {
    return updateEntities(store, call, updates, true);
  });

test("lists each event once, oldest first, with the client of its call", async () => {
  await using opened = await openMemory([entity("Ana", "person", "tall"), entity("Bo", "t")], [relation("Ana", "knows", "Bo")]);
  const { change, store, memory } = opened;
  await change((_, call) => createRelations(store, call, [relation("Bo", "sees", "Ana"), relation("Ana", "is", "Ana")], false));
  await change((_, call) => deleteRelations(store, call, [relation("Ana", "knows", "Bo")]));
  await update(opened, { name: "Ana", entityType: "sailor" });
  await memory.writeInSlices(undefined, (_, call) =>
    addObservations(store, call, [{ entityName: "Ana", contents: ["grey"], supersedes: ["tall"] }], false),
  );
  await change((_, call) => deleteEntities(store, call, ["Ana"]));
  const by = "test";
  const related = (from: string, type: string, to: string) => ({ by, event: "related", relation: relation(from, type, to) });
  expect(eventsOf(opened)).toEqual([
    { by, event: "created", present: "person" },
    { by, event: "observed", observation: "tall" },
    related("Ana", "knows", "Bo"),
    related("Bo", "sees", "Ana"),
    related("Ana", "is", "Ana"),
    { by, event: "unrelated", relation: relation("Ana", "knows", "Bo") },
    { by, event: "retyped", past: "person", present: "sailor" },
    { event: "superseded", observation: "tall", supersededBy: "grey" },
    { event: "observed", observation: "grey" },
    { by, event: "removed", observation: "grey" },
    { by, event: "deleted" },
    { by, event: "unrelated", relation: relation("Bo", "sees", "Ana") },
    { by, event: "unrelated", relation: relation("Ana", "is", "Ana") },
  ]);
  const times = historyOf(opened).events.map(({ at }) => Date.parse(at));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(Date.now() - times[0]!).toBeLessThan(60_000);
});

test("tells renames, merges into the entity, and its own merge", async () => {
  await using opened = await openMemory([entity("Ana", "t"), entity("Bo", "t"), entity("Cleo", "t")]);
  await update(
    opened,
    { name: "Bo", newName: "Ana", merge: true },
    { name: "Ana", newName: "Anna" },
    { name: "Anna", newName: "Cleo", merge: true },
  );
  const by = "test";
  expect(eventsOf(opened, { entityName: "Anna" })).toEqual([
    { by, event: "created", present: "t" },
    { by, event: "merged", past: "Bo", present: "Ana" },
    { by, event: "renamed", past: "Ana", present: "Anna" },
    { by, event: "merged", past: "Anna", present: "Cleo" },
  ]);
});

test("begins with the first event of a time, and counts those that are left out", async () => {
  await using opened = await openMemory([entity("Ana", "t", "one")]);
  const { change, store } = opened;
  const dated = async (text: string, date: string) => {
    await change(function* (_, call) {
      yield* addObservations(store, call, [{ entityName: "Ana", contents: [text] }], false);
      store.run("UPDATE call SET at = ? WHERE seq = ?", Date.parse(date), call.seq());
    });
  };
  store.run("UPDATE call SET at = ?", Date.parse("2020-01-01"));
  await dated("two", "2026-01-01");
  await dated("three", "2026-02-01");
  const texts = (options: Partial<HistoryOptions>) =>
    historyOf(opened, options).events.map(({ observation, event }) => observation ?? event);
  expect(texts({ since: "2026-01-01" })).toEqual(["two", "three"]);
  expect(texts({ since: "2026-01-02" })).toEqual(["three"]);
  expect(texts({})).toEqual(["created", "one", "two", "three"]);
  expect(texts({ limit: 2 })).toEqual(["two", "three"]);
  expect([historyOf(opened, { limit: 3 }).omitted, historyOf(opened, { limit: 4 }).omitted, historyOf(opened).isShortened]).toEqual([
    1,
    0,
    false,
  ]);
  // Each event takes at least 150 bytes.
  expect(historyOf(opened, { maxBytes: 600 })).toMatchObject({ events: [{}, {}], omitted: 2 });
});

test("shortens a text that would take more than a quarter of the reply, and only that", async () => {
  await using opened = await openMemory([entity("Ana", "t", "x".repeat(5000), "y".repeat(1500))]);
  const { change, store } = opened;
  await change((_, call) =>
    addObservations(store, call, [{ entityName: "Ana", contents: ["new"], supersedes: ["x".repeat(5000)] }], false),
  );
  const short = `${"x".repeat(2000)}…`;
  const history = historyOf(opened, { maxBytes: 16_000 });
  expect(history).toMatchObject({ omitted: 0, isShortened: true });
  expect(history.events.map(({ observation }) => observation)).toEqual([undefined, "y".repeat(1500), short, "new", short]);
  expect(historyOf(opened, { maxBytes: 50_000 })).toMatchObject({ omitted: 0, isShortened: false });
});

test.each([
  ["Anna", "History of an entity with name Anna not found. Did you mean Ana?"],
  ["Zzyzx", "History of an entity with name Zzyzx not found. Use search_nodes to find entities."],
])("refuses the unknown name %s", async (entityName, message) => {
  await using opened = await openMemory([entity("Ana", "t")]);
  await opened.change((_, call) => createEntities(opened.store, call, []));
  expect(() => historyOf(opened, { entityName })).toThrow(expect.objectContaining({ code: "not-found", message }) as Error);
});
