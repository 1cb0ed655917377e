// The order of entities, and texts that a caller finds near in meaning.
import { expect, test } from "vitest";
import { byRank } from "../../../src/graph/search/ranking.ts";
import { nearMatches, partialMatches } from "../../../src/graph/search/page/match-kinds.ts";
import { searchNodes } from "../../../src/graph/search/search.ts";
import type { SemanticMatch } from "../../../src/graph/semantic-index.ts";
import { entity } from "../../support/graphs.ts";
import { openMemory, type OpenMemory } from "../../support/open-memory.ts";

test.each([
  ["the first number", [2, 0, 0], [1, 9, 9]],
  ["the next one between equals", [1, 2, 0], [1, 1, 9]],
  ["the last one at the end", [1, 1, 2], [1, 1, 1]],
])("orders places by %s", (_, first, second) => {
  expect([second, first].toSorted(byRank)).toEqual([first, second]);
  expect(byRank(first, first)).toBe(0);
});

const find = ({ store }: OpenMemory, query: string, meaning: readonly SemanticMatch[]) =>
  searchNodes(store, { query, detail: "full", maxBytes: 10_000, meaning }).matches;

const near = (entity: number, observation: number | undefined, similarity: number): SemanticMatch => ({ entity, observation, similarity });

test("adds entities whose texts are near in meaning, by how near they are, and only those that exist", async () => {
  await using opened = await openMemory([entity("Ada", "person", "prefers tea"), entity("Ben", "person", "has a boat")]);
  expect(find(opened, "quartz", [near(2, undefined, 0.5), near(1, 1, 0.4), near(9999, 9999, 0.9)])).toEqual([
    { name: "Ben", score: 0.5, why: "Near in meaning.", by: "meaning" },
    { name: "Ada", score: 0.4, why: "Near in meaning.", by: "meaning", observation: "prefers tea" },
  ]);
});

test("tells hits by meaning from those with some words, also where a preference adds to the reason", async () => {
  await using opened = await openMemory([entity("Ada", "person", "prefers tea"), entity("Ben", "person", "has a boat")]);
  const page = searchNodes(opened.store, {
    query: "boat quartz",
    detail: "full",
    maxBytes: 10_000,
    meaning: [near(1, 1, 0.4)],
    preference: "decay",
  });
  expect(nearMatches(page)).toEqual(["Ada"]);
  expect(partialMatches(page)).toEqual(["Ben"]);
});

test("adds meaning to the words of each fact: the best by words counts as much as the same text", async () => {
  await using opened = await openMemory([
    entity("words", "t", "a boat"),
    entity("both", "t", "the boat and more than that", "unlike"),
    entity("meaning", "t", "a quartz"),
  ]);
  const matches = find(opened, "boat trips", [near(3, 4, 0.9), near(2, 2, 0.8)]);
  expect(matches.map(({ name, observation }) => [name, observation])).toEqual([
    ["both", "the boat and more than that"],
    ["words", "a boat"],
    ["meaning", "a quartz"],
  ]);
});
