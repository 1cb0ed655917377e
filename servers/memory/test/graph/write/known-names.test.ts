// A name in another composition of the same characters is the same name.
import { expect, test } from "vitest";
import { entity, relation } from "../../support/graphs.ts";
import { serveMemory } from "../../support/memory-fixture.ts";

test.each([
  ["Zoe\u0308", "Zoë"],
  ["Zoë", "Zoe\u0308"],
])("%s means the entity %s in every call", async (given, stored) => {
  await using memory = await serveMemory({ entities: [entity(stored, "person", "sings"), entity("Mill", "place"), entity("Zoe", "cat")] });
  expect(await memory.call("create_entities", { entities: [entity(given, "person")] })).toMatchObject({ skipped: [stored] });
  await memory.call("add_observations", { observations: [{ entityName: given, contents: ["rows"] }] });
  await memory.call("create_relations", { relations: [relation("Mill", "owned_by", given)] });
  await memory.call("delete_observations", { deletions: [{ entityName: given, observations: ["sings"] }] });
  expect(await memory.call("open_nodes", { names: [given], depth: 1 })).toMatchObject({
    entities: [entity(stored, "person", "rows"), entity("Mill", "place")],
    relations: [relation("Mill", "owned_by", stored)],
    notFound: [],
  });
  await memory.call("update_entities", { updates: [{ name: given, entityType: "singer" }] });
  await memory.call("delete_entities", { entityNames: [given] });
  expect(await memory.call("read_graph")).toMatchObject({ entities: [entity("Mill", "place"), entity("Zoe", "cat")], relations: [] });
});
