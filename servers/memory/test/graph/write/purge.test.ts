// What a purge removes, counts and names for the search through the files.
import { expect, test } from "vitest";
import { getMirrorState } from "../../../src/graph/store/mirror-state.ts";
import { addObservations } from "../../../src/graph/write/creation.ts";
import { deleteEntities, deleteObservations, deleteRelations } from "../../../src/graph/write/deletion.ts";
import { purgeEntities, purgeObservations, purgeRelations } from "../../../src/graph/write/purge.ts";
import { updateEntities, type EntityUpdate } from "../../../src/graph/write/update.ts";
import { entity, relation } from "../../support/graphs.ts";
import { indexedPositions, openMemory, type OpenMemory } from "../../support/open-memory.ts";

const NONE = { entities: 0, observations: 0, relations: 0 };

const update = ({ change }: OpenMemory, ...updates: EntityUpdate[]) =>
  // oxlint-disable-next-line require-yield
  change(function* (store, call) {
    return updateEntities(store, call, updates, true);
  });

const expectConsistentIndex = ({ store }: OpenMemory): void => {
  const { indexed, expected } = indexedPositions(store);
  expect(indexed).toEqual(expected);
};

const ENTITIES = [
  entity("Ana", "person", "tall as a tree", "likes tea"),
  entity("Ben", "friend", "tall as a tree"),
  entity("\ufffd half", "odd"),
];
const RELATIONS = [relation("Ana", "knows", "Ben"), relation("Ben", "likes", "Ana"), relation("Ben", "visits", "ghost")];

test("of an entity takes its observations and relations, past ones too, and every name and type it had", async () => {
  await using opened = await openMemory(ENTITIES, RELATIONS);
  const { change, store } = opened;
  await change((_, call) => deleteObservations(store, call, [{ entityName: "Ana", observations: ["likes tea"] }]));
  await change((_, call) => deleteRelations(store, call, [RELATIONS[1]!]));
  await update(opened, { name: "Ana", newName: "Anna", entityType: "sailor" });
  const { counts, texts } = await change((_, call) => purgeEntities(store, call, ["Anna", "Anna", "nobody"]));
  expect(counts).toEqual({ entities: 1, observations: 2, relations: 2 });
  expect(texts.toSorted()).toEqual(["Ana", "Anna", "Anna", "likes tea", "nobody", "person", "person", "sailor", "tall as a tree"]);
  expect(store.all("SELECT 1 FROM turn")).toEqual([]);
  expectConsistentIndex(opened);
  expect(await change((_, call) => purgeEntities(store, call, ["Anna"]))).toEqual({ counts: NONE, texts: [] });
});

test("of a deleted entity takes its history, and leaves the index as it is", async () => {
  await using opened = await openMemory(ENTITIES, RELATIONS);
  const { change, store } = opened;
  await change((_, call) => deleteEntities(store, call, ["Ana"]));
  expectConsistentIndex(opened);
  expect(await change((_, call) => purgeEntities(store, call, ["Ana"]))).toMatchObject({
    counts: { entities: 1, observations: 2, relations: 2 },
  });
  expectConsistentIndex(opened);
});

test("of a former name counts the renames that it removes", async () => {
  await using opened = await openMemory(ENTITIES);
  const { change, store } = opened;
  await update(opened, { name: "Ana", newName: "Anna" });
  expect(await change((_, call) => purgeEntities(store, call, ["Ana"]))).toEqual({
    counts: { ...NONE, formerNames: 1 },
    texts: ["Ana"],
  });
});

test("of an observation takes this text only, from the entity and those that were merged into it", async () => {
  await using opened = await openMemory([
    ...ENTITIES,
    entity("Cleo", "person", "tall as a tree"),
    entity("Dora", "person", "tall as a tree"),
  ]);
  const { change, store } = opened;
  await update(opened, { name: "Cleo", newName: "Dora", merge: true }, { name: "Dora", newName: "Ana", merge: true });
  const deletions = ["Ana", "nobody", "\ud800 half"].map((entityName) => ({ entityName, observations: ["tall as a tree", "not said"] }));
  expect(await change((_, call) => purgeObservations(store, call, deletions))).toEqual({
    counts: { ...NONE, observations: 3 },
    texts: ["tall as a tree", "tall as a tree", "tall as a tree"],
  });
  expect(store.all("SELECT text FROM observation WHERE text LIKE '%t%' AND text NOT LIKE 'fill%' ORDER BY id")).toEqual([
    { text: "likes tea" },
    { text: "tall as a tree" },
  ]);
  expectConsistentIndex(opened);
});

test("of a deleted observation leaves the index as it is", async () => {
  await using opened = await openMemory(ENTITIES);
  const { change, store } = opened;
  const deletions = [{ entityName: "Ana", observations: ["likes tea"] }];
  await change((_, call) => deleteObservations(store, call, deletions));
  await change((_, call) => addObservations(store, call, [{ entityName: "Ana", contents: ["likes tea"] }], false));
  expect((await change((_, call) => purgeObservations(store, call, deletions))).counts).toEqual({ ...NONE, observations: 2 });
  expectConsistentIndex(opened);
});

test("of a relation counts past and current ones, and names only ends that nothing else has", async () => {
  await using opened = await openMemory(ENTITIES, RELATIONS);
  const { change, store } = opened;
  const [knows, likes, visits] = RELATIONS as [(typeof RELATIONS)[0], (typeof RELATIONS)[0], (typeof RELATIONS)[0]];
  await change((_, call) => deleteRelations(store, call, [visits]));
  expect(await change((_, call) => purgeRelations(store, call, [visits, likes, relation("\ud800 half", "knows", "Ben")]))).toEqual({
    counts: { ...NONE, relations: 2 },
    texts: ["visits", "ghost", "likes", "knows"],
  });
  await change((_, call) => deleteEntities(store, call, ["Ana"]));
  // Ana is still the name of a past entity, and Ben of a current one.
  expect((await change((_, call) => purgeRelations(store, call, [knows]))).texts).toEqual(["knows"]);
  expect(await change((_, call) => purgeRelations(store, call, [knows]))).toEqual({ counts: NONE, texts: [] });
});

test.each([
  ["the start of a current relation", relation("ghost", "haunts", "x"), false],
  ["the end of a current relation", relation("x", "haunts", "ghost"), false],
  ["the start of a past relation", relation("ghost", "haunts", "x"), true],
  ["the end of a past relation", relation("x", "haunts", "ghost"), true],
])("of a relation does not name an end that is also %s", async (_name, other, isPast) => {
  await using opened = await openMemory([], [relation("a", "sees", "ghost"), other]);
  const { change, store } = opened;
  if (isPast) await change((_, call) => deleteRelations(store, call, [other]));
  expect((await change((_, call) => purgeRelations(store, call, [relation("a", "sees", "ghost")]))).texts).toEqual(["sees", "a"]);
});

test("notes its call, and that a mirror must be written again, only where it removes something", async () => {
  await using opened = await openMemory(ENTITIES);
  const { change, store } = opened;
  await change((_, call) => purgeEntities(store, call, ["nobody", "\ud800 half"]));
  expect(store.meta("purged")).toBeUndefined();
  await change((_, call) => purgeEntities(store, call, ["Ana"]));
  expect(store.meta("purged")).toEqual(expect.any(Number));
  expect(getMirrorState(store)).toBeUndefined();
});

test("names a type that no entity has any more, and keeps others in the index", async () => {
  await using opened = await openMemory([entity("Ana", "person"), entity("Ben", "friend"), entity("Cleo", "friend")]);
  const { change, store } = opened;
  expect((await change((_, call) => purgeEntities(store, call, ["Ana"]))).texts).toEqual(["Ana", "person"]);
  expect((await change((_, call) => purgeEntities(store, call, ["Ben"]))).texts).toEqual(["Ben"]);
  expectConsistentIndex(opened);
});
