// What a deletion removes, counts and reports as missing.
import { expect, test } from "vitest";
import { deleteEntities, deleteObservations, deleteRelations } from "../../../src/graph/write/deletion.ts";
import { entity, relation } from "../../support/graphs.ts";
import { openMemory } from "../../support/open-memory.ts";

const NONE = { entities: 0, observations: 0, relations: 0 };
const TOO_MANY = "Too many items: 100001 in one call, at most 100000 are allowed.";

const ENTITIES = [entity("Anna", "person", "likes green tea", "is tall"), entity("Ben", "person"), entity("\ufffd half", "odd", "x")];
const RELATIONS = [
  relation("Anna", "knows", "Ben"),
  relation("Ben", "knows", "Anna"),
  relation("Ben", "sees", "ghost"),
  relation("ghost", "haunts", "Ben"),
  relation("Ben", "likes", "\ufffd half"),
];

test("of entities counts observations and relations, and takes those at names that no entity has", async () => {
  await using opened = await openMemory(ENTITIES, RELATIONS);
  const { change, store } = opened;
  expect(await change((_, call) => deleteEntities(store, call, ["Anna", "Anna", "ghost", "\ud800 half"]))).toEqual({
    counts: { entities: 1, observations: 2, relations: 4 },
    missing: [],
  });
  expect(store.all("SELECT source FROM relation WHERE ended IS NULL")).toEqual([{ source: "Ben" }]);
  // An entity without relations is not missing.
  expect(await change((_, call) => deleteEntities(store, call, ["filler 1"]))).toEqual({
    counts: { entities: 1, observations: 1, relations: 0 },
    missing: [],
  });
});

test("suggests names for the first five missing ones", async () => {
  await using opened = await openMemory(ENTITIES);
  const { change, store } = opened;
  const { missing } = await change((_, call) => deleteEntities(store, call, ["anna", "ANNA", "Ánna", "an-na", "Anna!", "anná", "Zzyzx"]));
  expect(missing.map(({ item, suggestions }) => [item, suggestions.length > 0])).toEqual([
    ["anna", true],
    ["ANNA", true],
    ["Ánna", true],
    ["an-na", true],
    ["Anna!", true],
    ["anná", false],
    ["Zzyzx", false],
  ]);
});

test("of observations reports unknown entities and texts, with the nearest ones", async () => {
  await using opened = await openMemory(ENTITIES);
  const { change, store } = opened;
  const deletions = [
    { entityName: "anna", observations: ["is tall"] },
    { entityName: "Anna", observations: ["likes green te", "is tall", "is tall"] },
    { entityName: "Ben", observations: [] },
  ];
  expect(await change((_, call) => deleteObservations(store, call, deletions))).toEqual({
    counts: { ...NONE, observations: 1 },
    missing: [
      { item: "anna", suggestions: ["Anna"] },
      { item: "likes green te", suggestions: ["likes green tea"] },
    ],
  });
});

test("of relations reports unknown ones with the nearest type between the same entities", async () => {
  await using opened = await openMemory(ENTITIES, RELATIONS);
  const { change, store } = opened;
  const wanted = [relation("Anna", "know", "Ben"), RELATIONS[0]!, RELATIONS[1]!, relation("Ben", "likes", "\ud800 half")];
  expect(await change((_, call) => deleteRelations(store, call, wanted))).toEqual({
    counts: { ...NONE, relations: 2 },
    missing: [{ item: "Anna → know → Ben", suggestions: ["knows"] }],
  });
  expect(store.all("SELECT type FROM relation WHERE ended IS NULL ORDER BY id")).toEqual([
    { type: "sees" },
    { type: "haunts" },
    { type: "likes" },
  ]);
});

test("of more items than a call may have is refused", async () => {
  await using opened = await openMemory([]);
  const { change, store } = opened;
  const many = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
  await expect(change((_, call) => deleteEntities(store, call, many(100_001, "a")))).rejects.toThrow(TOO_MANY);
  await expect(change((_, call) => deleteRelations(store, call, many(100_001, relation("a", "b", "c"))))).rejects.toThrow(TOO_MANY);
  const [one, two] = [99_990, 8].map((count) => ({ entityName: "a", observations: many(count, "x") }));
  await expect(change((_, call) => deleteObservations(store, call, [one!, two!, { entityName: "a", observations: [] }]))).rejects.toThrow(
    TOO_MANY,
  );
});
