// The hand-written JSON of a page equals that of JSON.stringify.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compactJson } from "../../src/replies/reply.ts";
import { encodeGraph } from "../../src/replies/graph-json.ts";
import { entity, relation } from "../support/graphs.ts";
import { serveMemory, text } from "../support/memory-fixture.ts";

const word = fc.string({ unit: fc.oneof(fc.constantFrom('"', "\\", "\n", "\u2028", "é", "😀", "\ud800", "\u007f", "</"), fc.string()) });
const visible = fc.record(
  { name: word, entityType: word, observations: fc.array(word), observationCount: fc.nat() },
  { requiredKeys: ["name", "entityType", "observations"] },
);

test("encodeGraph gives the same as JSON.stringify of the text, for any texts", () => {
  fc.assert(
    fc.property(fc.array(visible), fc.array(fc.record({ from: word, to: word, relationType: word })), (entities, relations) => {
      expect(JSON.parse(encodeGraph(entities, relations))).toBe(compactJson({ entities, relations }));
    }),
    { seed: 1 },
  );
});

// The deviation `compact`.
test("returns the same content as text and as a structured result", async () => {
  const graph = { entities: [entity('"a"\n', "t", "b\\", "é\u2028"), entity("c", "t")], relations: [relation('"a"\n', "knows", "c")] };
  await using memory = await serveMemory(graph);
  expect(text(await memory.client.call("read_graph", {}))).toBe(compactJson(graph));
});
