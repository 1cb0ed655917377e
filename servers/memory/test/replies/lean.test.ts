// --lean: the same text, and a structured result without what the text has.
import type { Json } from "@oarlock/server-kit/protocol";
import { expect, test } from "vitest";
import { entity, relation } from "../support/graphs.ts";
import { serveMemory } from "../support/memory-fixture.ts";

const GRAPH = { entities: [entity("a", "t", "x"), entity("b", "t")], relations: [relation("a", "r", "b")] };

/** Calls with the facts that stay in the structured result. */
const CALLS: readonly (readonly [tool: string, args: Json, facts: readonly string[]])[] = [
  ["read_graph", { limit: 1 }, ["total", "truncated", "nextCursor"]],
  ["search_nodes", { query: "a" }, ["matches", "truncated"]],
  ["open_nodes", { names: ["a", "c"] }, ["notFound"]],
  ["traverse_graph", { start: "a" }, ["truncated"]],
  ["get_history", { entityName: "a" }, ["truncated"]],
  ["graph_stats", {}, ["entities", "relations", "observations", "orphans", "dangling"]],
  ["create_entities", { entities: [entity("a", "t"), entity("c", "t")] }, ["skipped"]],
  ["create_relations", { relations: [relation("b", "r", "d")] }, ["dangling"]],
  ["add_observations", { observations: [{ entityName: "a", contents: ["y"] }] }, []],
  ["update_entities", { updates: [{ name: "a", entityType: "u" }] }, []],
  ["delete_entities", { entityNames: ["b"] }, ["success", "deleted"]],
];

test.each(CALLS)("%s %o sends no text twice", async (tool, args, facts) => {
  await using plain = await serveMemory(GRAPH);
  await using lean = await serveMemory({ ...GRAPH, lean: true });
  const [whole, short] = [await plain.client.call(tool, args), await lean.client.call(tool, args)];
  const kept = short.structuredContent as Json;
  expect(Object.keys(kept)).toEqual(expect.arrayContaining([...facts]));
  for (const member of ["entities", "relations", "nodes", "edges", "events", "results", "message"])
    expect(kept[member] ?? 0).toBeTypeOf("number");
  expect(JSON.stringify(short).length).toBeLessThan(JSON.stringify(whole).length);
  expect(short.content).toHaveLength(whole.content.length);
});

test("lists tools without output schemas", async () => {
  await using lean = await serveMemory({ lean: true });
  for await (const tool of lean.client.tools()) expect(tool).not.toHaveProperty("outputSchema");
});
