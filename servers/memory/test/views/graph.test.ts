// The graph of the memory view, up to its bounds.
import { expect, test } from "vitest";
import { Graph, MAX_NODES } from "../../views/graph/graph.ts";

const knows = (from: string, to: string) => ({ from, to, relationType: "knows" });

test("counts a relation that a full picture leaves out", () => {
  const graph = new Graph();
  graph.add(
    Array.from({ length: MAX_NODES }, (_, at) => ({ name: `n${at}` })),
    [],
  );
  const relations = [knows("n0", "n1"), knows("n0", "beyond")];
  expect(graph.add([], relations)).toEqual({ entities: 0, relations: 1, leftOut: 1 });
  expect(graph.add([], relations)).toEqual({ entities: 0, relations: 0, leftOut: 1 });
  expect(graph.leftOut).toEqual({ entities: 1, relations: 1 });
});
