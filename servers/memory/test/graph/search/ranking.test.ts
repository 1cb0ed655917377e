// Fused rankings, and rankings that are handed to a search.
import { expect, test } from "vitest";
import { fuseRankings, type RankedEntity, type Ranking } from "../../../src/graph/search/ranking.ts";
import { searchNodes } from "../../../src/graph/search/search.ts";
import { entity } from "../../support/graphs.ts";
import { openMemory } from "../../support/open-memory.ts";

const ranking = (weight: number, ...entities: readonly (readonly [id: number, merit: number])[]): Ranking => ({
  weight,
  entities: entities.map(([id, merit]): RankedEntity => ({ id, merit, score: merit / 10, reason: `by ${weight}` })),
});

const fused = (...rankings: readonly Ranking[]): number[] =>
  fuseRankings(rankings)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ id }) => id);

test("ranks an entity in two rankings before the first of each", () => {
  expect(fused(ranking(1, [1, 9], [2, 8]), ranking(1, [3, 9], [2, 1]))).toEqual([2, 1, 3]);
});

test("weights count, and entities of equal merit share a rank", () => {
  expect(fused(ranking(1, [1, 9]), ranking(0.5, [2, 9]))).toEqual([1, 2]);
  const [first, second, third] = fuseRankings([ranking(1, [1, 5], [2, 5], [3, 4])]);
  expect([first?.rank === second?.rank, third?.rank]).toEqual([true, 1 / 62]);
});

test("takes score and reason of the ranking with the highest score", () => {
  const best = [{ id: 1, rank: 1.5 / 61, score: 0.6, reason: "by 0.5" }];
  expect(fuseRankings([ranking(0.5, [1, 6]), ranking(1, [1, 2])])).toEqual(best);
  expect(fuseRankings([ranking(1, [1, 2]), ranking(0.5, [1, 6])])).toEqual(best);
  expect(fuseRankings([ranking(0.5, [1, 6]), ranking(1, [1, 6])])).toEqual(best);
  expect(fuseRankings([])).toEqual([]);
});

test("gives an entity the highest of its levels, whichever ranking has it", () => {
  const atLevel = (level: number): Ranking => ({ weight: 1, entities: [{ id: 1, merit: 1, score: 1, reason: "", level }] });
  for (const rankings of [
    [atLevel(2), atLevel(1)],
    [atLevel(1), atLevel(2)],
    [ranking(1, [1, 1]), atLevel(2)],
  ])
    expect(fuseRankings(rankings)[0]?.rank).toBe(2 + 2 / 61);
});

test("adds entities of a caller's ranking that exist", async () => {
  await using opened = await openMemory([entity("Ada", "person", "prefers tea"), entity("Ben", "person", "has a boat")]);
  const byMeaning = (): Ranking => ({
    weight: 1,
    entities: [1, 2, 9999].map((id) => ({ id, merit: 1 / id, score: 0.5, reason: "Means nearly the same.", observation: `o${id}` })),
  });
  const page = searchNodes(opened.store, { query: "quartz", detail: "names", maxBytes: 10_000, rankings: [byMeaning] });
  expect(page.matches).toEqual([
    { name: "Ada", score: 0.5, why: "Means nearly the same.", observation: "o1" },
    { name: "Ben", score: 0.5, why: "Means nearly the same.", observation: "o2" },
  ]);
  const narrowed = searchNodes(opened.store, { query: "boat", detail: "names", maxBytes: 10_000, rankings: [byMeaning] });
  expect(narrowed.matches.map(({ name }) => name)).toEqual(["Ben", "Ada"]);
});

test("ranks by a caller's ranking with a high weight first, newest first among equals", async () => {
  await using opened = await openMemory([entity("Ada", "person", "prefers tea"), entity("Ben", "person"), entity("Cem", "person")]);
  const equal = (): Ranking => ({ weight: 5, entities: [2, 3].map((id) => ({ id, merit: 1, score: 0.5, reason: "Equal." })) });
  const page = searchNodes(opened.store, { query: "milk tea", detail: "names", maxBytes: 10_000, rankings: [equal] });
  expect(page.matches.map(({ name }) => name)).toEqual(["Cem", "Ben", "Ada"]);
});
