// What one read asks twice is read once, and never kept beyond it.
import { expect, test } from "vitest";
import { addObservations } from "../../../src/graph/write/creation.ts";
import { entity, relation } from "../../support/graphs.ts";
import { openMemory } from "../../support/open-memory.ts";

test("reads facts and relations once in a read, and again after a change", async () => {
  await using memory = await openMemory([entity("Ada", "person", "tea"), entity("Bob", "person")], [relation("Ada", "knows", "Bob")]);
  const { store } = memory;
  const { id } = store.entities.named("Ada")!;
  const factsOf = (): readonly string[] => store.observations.of(id).map(({ text }) => text);
  store.read(() => {
    expect(store.observations.of(id)).toBe(store.observations.of(id));
    expect(store.relations.at("source", "Ada")).toBe(store.relations.at("source", "Ada"));
    expect(factsOf()).toEqual(["tea"]);
  });
  await memory.change((_, call) => addObservations(store, call, [{ entityName: "Ada", contents: ["coffee"] }], false));
  expect(store.read(factsOf)).toEqual(["tea", "coffee"]);
});

test("sees its own changes within a change", async () => {
  await using memory = await openMemory([entity("Ada", "person", "tea")]);
  const { store } = memory;
  const { id } = store.entities.named("Ada")!;
  await store.write("test", (call) => {
    const before = store.observations.of(id).length;
    store.run("UPDATE observation SET ended = ? WHERE entity = ?", call.seq(), id);
    expect([before, store.observations.of(id).length]).toEqual([1, 0]);
  });
});

test.each([20, 21, 50])("gives all of %s relations of an entity", async (count) => {
  const others = Array.from({ length: count }, (_, at) => entity(`n${at}`, "thing"));
  await using memory = await openMemory(
    [entity("hub", "thing"), ...others],
    others.map(({ name }) => relation("hub", "has", name)),
  );
  const { store } = memory;
  const targets = store.read(() => [...store.relations.at("source", "hub")].map(({ target }) => target));
  expect(targets.toSorted()).toEqual(others.map(({ name }) => name).toSorted());
});
