// Updates: what is refused, and what a rename, a new type and a merge leave in the tables and in the index.
import { expect, test, vi } from "vitest";
import { updateEntities, type EntityUpdate } from "../../../src/graph/write/update.ts";
import { entity, relation } from "../../support/graphs.ts";
import { indexedPositions, openMemory, type OpenMemory } from "../../support/open-memory.ts";

const update = ({ change }: OpenMemory, updates: readonly EntityUpdate[], mayMerge = true) =>
  // oxlint-disable-next-line require-yield
  change(function* (store, call) {
    return updateEntities(store, call, updates, mayMerge);
  });

const ENTITIES = [entity("Ana", "person", "tall", "likes tea"), entity("Anna", "friend", "tall"), entity("Ben", "person")];
const RELATIONS = [
  relation("Ana", "is", "Anna"),
  relation("Anna", "was", "Ana"),
  relation("Ana", "knows", "Ben"),
  relation("Anna", "knows", "Ben"),
  relation("Ben", "sees", "Ana"),
];

test.each<[update: Omit<EntityUpdate, "name">, message: string, name?: string]>([
  [{ newName: "" }, "Entity name is empty: at least one character is expected. Nothing was changed."],
  [{ newName: "x".repeat(4001) }, "Entity name too long: 4001 characters"],
  [{ newName: "\ud800" }, "Entity name is not well-formed text"],
  [{ entityType: "x".repeat(4001) }, "Type of Ana too long: 4001 characters"],
  [{}, "Update of Ana lacks a change: give newName, entityType or tags. Nothing was changed."],
  [{ merge: true, entityType: "x" }, "Update of Ana lacks the entity to merge into: name it in newName. Nothing was changed."],
  [{ newName: "Anna" }, "Name Anna already taken by another entity. Nothing was changed. Pass merge: true to merge Ana into it"],
  [{ entityType: "x" }, "Entity with name aNA not found. Nothing was changed. Did you mean Ana", "aNA"],
  [{ newName: "b" }, "Entity with name Zzyzx not found. Nothing was changed. Use search_nodes to find entities.", "Zzyzx"],
])("%.60j is refused", async (wanted, message, name = "Ana") => {
  await using opened = await openMemory(ENTITIES);
  const code = message.includes("not found") ? "not-found" : "invalid";
  await expect(
    update(opened, [
      { name: "Ben", newName: "B" },
      { name, ...wanted },
    ]),
  ).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message) as string,
  });
  expect(opened.store.all("SELECT name FROM entity WHERE id <= 3")).toEqual(ENTITIES.map((one) => ({ name: one.name })));
});

test("refuses a merge that the user has not accepted", async () => {
  await using opened = await openMemory(ENTITIES);
  await expect(update(opened, [{ name: "Ana", newName: "Anna", merge: true }], false)).rejects.toThrow(
    "Entity Anna has just been created. Nothing was changed. Repeat the call to confirm the merge.",
  );
  expect(await update(opened, [{ name: "Ana", newName: "Other", merge: true }], false)).toMatchObject([{ name: "Other" }]);
});

test("refuses more updates than a call may have", async () => {
  await using opened = await openMemory([]);
  const many = Array.from({ length: 100_001 }, () => ({ name: "a", entityType: "b" }));
  await expect(update(opened, many)).rejects.toThrow("Too many items: 100001 in one call");
});

test("ends the merged entity, and moves only its new facts", async () => {
  await using opened = await openMemory(ENTITIES, RELATIONS);
  const { store } = opened;
  expect(await update(opened, [{ name: "Ana", newName: "Anna", entityType: "sailor", merge: true }])).toEqual([
    { name: "Anna", entityType: "sailor", merged: "Ana" },
  ]);
  const texts =
    "SELECT e.name, o.text FROM observation o JOIN entity e ON e.id = o.entity WHERE o.ended IS NULL AND o.text NOT LIKE 'fill%'";
  expect(store.all(`${texts} ORDER BY o.id`)).toEqual([
    { name: "Anna", text: "tall" },
    { name: "Anna", text: "likes tea" },
  ]);
  expect(store.all("SELECT source, type, target FROM relation WHERE ended IS NULL ORDER BY id")).toEqual([
    { source: "Anna", type: "knows", target: "Ben" },
    { source: "Ben", type: "sees", target: "Anna" },
  ]);
  const types = "SELECT e.name, t.name AS type, e.ended IS NULL AS is_current FROM entity e JOIN type t ON t.id = e.type";
  expect(store.all(`${types} WHERE e.name IN ('Ana', 'Anna') ORDER BY e.id`)).toEqual([
    { name: "Ana", type: "person", is_current: 0 },
    { name: "Anna", type: "sailor", is_current: 1 },
  ]);
  const { indexed, expected } = indexedPositions(store);
  expect(indexed).toEqual(expected);
});

test("returns the new name and type with the old name, and indexes only those", async () => {
  await using opened = await openMemory(ENTITIES, RELATIONS);
  const { store } = opened;
  expect(
    await update(opened, [
      { name: "Ana", newName: "Hanna", entityType: "sailor" },
      { name: "Ben", newName: "Ben", entityType: "person" },
    ]),
  ).toEqual([
    { name: "Hanna", entityType: "sailor", renamedFrom: "Ana" },
    { name: "Ben", entityType: "person", unchanged: true },
  ]);
  expect(store.all("SELECT kind, past, present FROM turn")).toEqual([
    { kind: "type", past: "person", present: "sailor" },
    { kind: "name", past: "Ana", present: "Hanna" },
  ]);
  const { indexed, expected } = indexedPositions(store);
  expect(indexed).toEqual(expected);
});

test("notifies of an update of nothing but tags", async () => {
  await using opened = await openMemory(ENTITIES);
  const listener = vi.fn<() => void>();
  opened.store.onChange(listener);
  await update(opened, [{ name: "Ana", tags: ["sea"] }]);
  expect(listener).toHaveBeenCalledTimes(1);
});
