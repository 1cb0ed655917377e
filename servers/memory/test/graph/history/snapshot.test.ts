// Snapshots: each call's state of the graph, read again after all later calls.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Snapshot, type SnapshotEntity } from "../../../src/graph/history/snapshot.ts";
import { lastSeq } from "../../../src/graph/store/calls.ts";
import type { Store } from "../../../src/graph/store/store.ts";
import { addObservations, createEntities } from "../../../src/graph/write/creation.ts";
import { createRelations } from "../../../src/graph/write/relation-creation.ts";
import { deleteEntities, deleteObservations, deleteRelations } from "../../../src/graph/write/deletion.ts";
import { updateEntities, type EntityUpdate } from "../../../src/graph/write/update.ts";
import { entity, relation } from "../../support/graphs.ts";
import { openMemory, type OpenMemory } from "../../support/open-memory.ts";

interface State {
  readonly seq: number;
  readonly entities: readonly SnapshotEntity[];
  /** Without their ends, which a snapshot names as they are named today. */
  readonly relations: unknown;
  readonly records: unknown;
}

/** What the store holds at present. */
function stateOf(store: Store): State {
  const rows = store.all<{ id: number; name: string; entityType: string; extra: string | null; texts: string }>(
    `SELECT e.id, e.name, t.name AS entityType, e.extra,
       (SELECT json_group_array(text) FROM (SELECT text FROM observation WHERE entity = e.id AND ended IS NULL ORDER BY id)) AS texts
     FROM entity e JOIN type t ON t.id = e.type WHERE e.ended IS NULL ORDER BY e.id`,
  );
  return {
    seq: lastSeq(store),
    entities: rows.map(({ texts, ...row }) => ({ ...row, observations: JSON.parse(texts) as string[] })),
    relations: store.all("SELECT id, type, extra FROM relation WHERE ended IS NULL ORDER BY id"),
    records: store.all("SELECT id, line FROM record WHERE ended IS NULL ORDER BY id"),
  };
}

const update =
  (...updates: EntityUpdate[]) =>
  ({ change }: OpenMemory) =>
    // oxlint-disable-next-line require-yield
    change(function* (store, call) {
      return updateEntities(store, call, updates, true);
    });

/** More entities and relations than a page has. */
const MANY = Array.from({ length: 2100 }, (_, at) => `many ${at}`);

const STEPS: ((opened: OpenMemory) => Promise<unknown>)[] = [
  ({ change }) =>
    change((store, call) => createEntities(store, call, [entity("Ana", "person", "tall"), entity("Bo", "person"), entity("Cleo", "cat")])),
  ({ change }) =>
    change((store, call) => createRelations(store, call, [relation("Ana", "knows", "Bo"), relation("Bo", "feeds", "Cleo")], false)),
  ({ change }) => change((store, call) => addObservations(store, call, [{ entityName: "Bo", contents: ["old", "grey"] }], false)),
  update({ name: "Ana", newName: "Anna" }),
  update({ name: "Anna", entityType: "sailor" }, { name: "Cleo", newName: "Ana" }),
  update({ name: "Anna", newName: "Ann", entityType: "captain" }),
  ({ change }) =>
    change((store, call) => addObservations(store, call, [{ entityName: "Bo", contents: ["young"], supersedes: ["old"] }], false)),
  ({ change }) =>
    // oxlint-disable-next-line require-yield
    change(function* (store, call) {
      store.run("INSERT INTO record (line, created) VALUES ('kept', ?), ('dropped', ?)", call.seq(), call.seq());
      store.run("UPDATE entity SET extra = '{\"x\":1}' WHERE name = 'later'");
    }),
  ({ change }) => change((store, call) => createEntities(store, call, [entity("Dan", "person", "short"), entity("Bob", "person", "bald")])),
  ({ change }) =>
    // oxlint-disable-next-line require-yield
    change(function* (store, call) {
      store.run("UPDATE record SET ended = ? WHERE line = 'dropped'", call.seq());
    }),
  ({ change }) =>
    change((store, call) => createRelations(store, call, [relation("Bo", "is", "Bob"), relation("Dan", "sees", "Bo")], false)),
  update({ name: "Bo", newName: "Bob", merge: true }),
  update({ name: "Bob", newName: "Robert", merge: true }),
  update({ name: "Robert", newName: "Dan", merge: true }),
  ({ change }) => change((store, call) => deleteEntities(store, call, ["Ana"])),
  ({ change }) => change((store, call) => createEntities(store, call, [entity("Cleo", "dog", "barks"), entity("Bo", "boat")])),
  ({ change }) => change((store, call) => createRelations(store, call, [relation("Ann", "knows", "Cleo")], false)),
  ({ change }) => change((store, call) => deleteRelations(store, call, [relation("Ann", "knows", "Cleo")])),
  ({ change }) => change((store, call) => createRelations(store, call, [relation("Ann", "knows", "Cleo")], false)),
  ({ change }) => change((store, call) => deleteObservations(store, call, [{ entityName: "Cleo", observations: ["barks"] }])),
  ({ change }) =>
    change((store, call) =>
      createEntities(
        store,
        call,
        MANY.map((name) => entity(name, "t")),
      ),
    ),
  ({ change }) =>
    change((store, call) =>
      createRelations(
        store,
        call,
        MANY.slice(0, 1100).map((name) => relation("Ann", "owns", name)),
        false,
      ),
    ),
  ({ change }) => change((store, call) => deleteEntities(store, call, ["Ann"])),
];

let opened: OpenMemory;
let states: State[];

beforeAll(async () => {
  opened = await openMemory([entity("later", "t")]);
  states = [stateOf(opened.store)];
  for (const step of STEPS) {
    await step(opened);
    states.push(stateOf(opened.store));
  }
});
afterAll(() => opened[Symbol.asyncDispose]());

const all = (sql: string): unknown[] => opened.store.all<{ value: unknown }>(sql).map(({ value }) => value);

describe.each([...STEPS.keys(), STEPS.length])("the snapshot after step %i", (step) => {
  const load = () => ({ state: states[step]!, snapshot: new Snapshot(opened.store, states[step]!.seq) });

  test("has the entities, relations and records of that time", () => {
    const { state, snapshot } = load();
    // Unknown fields of a record are not part of the history.
    const entities = state.entities.map((one) => ({ ...one, extra: one.name === "later" ? expect.anything() : null }) as SnapshotEntity);
    expect([...snapshot.entities()].flat()).toEqual(entities);
    expect([...snapshot.entityIds()].flat()).toEqual(state.entities.map(({ id }) => id));
    expect([...snapshot.relations()].flat().map(({ id, type, extra }) => ({ id, type, extra }))).toEqual(state.relations);
    expect(snapshot.records()).toEqual(state.records);
  });

  test("finds each entity by its name and id of that time, and no other", () => {
    const { state, snapshot } = load();
    const byName = new Map(state.entities.map((one) => [one.name, one]));
    const byId = new Map(state.entities.map((one) => [one.id, one]));
    const names = all(
      "SELECT name AS value FROM entity WHERE name NOT LIKE 'many%' UNION SELECT past FROM turn WHERE kind IN ('name', 'merged')",
    );
    for (const name of names as string[]) expect(without(snapshot.entityNamed(name)), name).toEqual(without(byName.get(name)));
    for (const id of all("SELECT id AS value FROM entity WHERE name NOT LIKE 'many%'") as number[])
      expect(without(snapshot.entity(id)), `${id}`).toEqual(without(byId.get(id)));
  });

  test("finds each relation by the present names of its ends", () => {
    const { state, snapshot } = load();
    const relations = opened.store.all<{ id: number; source: string; target: string; type: string; extra: null }>(
      "SELECT id, source, target, type, extra FROM relation WHERE type <> 'owns'",
    );
    const existing = new Set((state.relations as { id: number }[]).map(({ id }) => id));
    for (const { source, target, type } of relations) {
      const one = relations.find((row) => existing.has(row.id) && row.source === source && row.target === target && row.type === type);
      expect(snapshot.relation(source, target, type)).toEqual(one && { id: one.id, extra: one.extra });
    }
    expect(snapshot.relation("Ann", "Cleo", "none")).toBeUndefined();
  });
});

const without = (found: SnapshotEntity | undefined): unknown => found && { ...found, extra: undefined };

test.each([
  [1, { Ana: "Ann", Bo: "Dan", Cleo: "Ana", nobody: "nobody" }],
  [4, { Anna: "Ann", Bo: "Dan", Cleo: "Ana" }],
  [6, { Ann: "Ann", Bo: "Dan", Ana: "Ana" }],
  [9, { Dan: "Dan", Bob: "Dan", Bo: "Dan" }],
  [13, { Robert: "Dan", Dan: "Dan" }],
  [16, { Bo: "Bo", Cleo: "Cleo", Dan: "Dan" }],
])("the snapshot after step %i knows the present names %j", (step, names) => {
  const snapshot = new Snapshot(opened.store, states[step]!.seq);
  expect(Object.fromEntries(Object.keys(names).map((name) => [name, snapshot.presentName(name)]))).toEqual(names);
});

test("a page of entities or relations is small", () => {
  const snapshot = new Snapshot(opened.store, states.at(-2)!.seq);
  const sizes = (pages: Iterable<readonly unknown[]>): number[] => [...pages].map(({ length }) => length);
  expect([
    Math.max(...sizes(snapshot.entities())),
    Math.max(...sizes(snapshot.entityIds())),
    Math.max(...sizes(snapshot.relations())),
  ]).toEqual([200, 2000, 500]);
});
