// What is written by hand is what JSON.stringify would give.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { encodeGraph } from "../../src/replies/graph-json.ts";
import { entity, relation } from "../support/graph.ts";
import { remember, text } from "../support/memory.ts";

const word = fc.string({ unit: fc.oneof(fc.constantFrom('"', "\\", "\n", "\u2028", "é", "😀", "\ud800", "\u007f", "</"), fc.string()) });
const shown = fc.record(
  { name: word, entityType: word, observations: fc.array(word), observationCount: fc.nat() },
  { requiredKeys: ["name", "entityType", "observations"] },
);

test("a page of the graph is said as indented JSON, with whatever is in it", () => {
  fc.assert(
    fc.property(fc.array(shown), fc.array(fc.record({ from: word, to: word, relationType: word })), (entities, relations) => {
      expect(JSON.parse(encodeGraph(entities, relations))).toBe(JSON.stringify({ entities, relations }, null, 2));
    }),
  );
});

test("read_graph says in its text what is in its structured result", async () => {
  const graph = { entities: [entity('"a"\n', "t", "b\\", "é\u2028"), entity("c", "t")], relations: [relation('"a"\n', "knows", "c")] };
  await using memory = await remember(graph);
  expect(text(await memory.client.call("read_graph", {}))).toBe(JSON.stringify(graph, null, 2));
});
