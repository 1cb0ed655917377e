// The order of facts by the words of a query.
import { expect, test } from "vitest";
import type { Entity } from "../../../src/graph/model.ts";
import { searchNodes, type SearchPage } from "../../../src/graph/search/search.ts";
import { entity } from "../../support/graphs.ts";
import { openMemory } from "../../support/open-memory.ts";

/** More than a whole page has, and none with a word of a query. */
const OTHERS = Array.from({ length: 40 }, (_, at) => `entry ${at} of the log, which has nothing to do with it at all`);

async function find(query: string, ...entities: readonly Entity[]): Promise<SearchPage> {
  await using opened = await openMemory(entities);
  return searchNodes(opened.store, { query, detail: "full", maxBytes: 2000 });
}

/** All in the order of a reader. */
const factsOf = ({ entities, more = [] }: SearchPage): string[] => [...entities, ...more].flatMap(({ observations }) => observations);

/** The facts with words, without those around them. */
const best = async (query: string, ...facts: readonly string[]): Promise<string[]> =>
  factsOf(
    await find(query, entity("diary", "log", ...facts.flatMap((fact, at) => [fact, ...OTHERS.slice(3 * at, 3 * at + 3)]), ...OTHERS)),
  ).filter((fact) => facts.includes(fact));

test.each([
  ["a rare word before a common one", "mast sail", ["a mast", "sail one", "sail two", "sail six"]],
  [
    "a word in a short fact before one in a long one",
    "the mast now",
    ["mast", "mast of a ship that is far away from the coast of the sea"],
  ],
  ["a word that is repeated before one that is not", "mast now", ["mast and mast again", "mast and some sails"]],
  ["the newest of equal facts", "mast now", ["mast number two", "mast number one"]],
  ["a filler word beside the others", "who is under the mast", ["he stands under a mast", "he stands beside a mast"]],
  ["all words before more of one", "mast sail", ["the mast has a sail which is small, and blue, and old", "mast mast mast"]],
])("puts %s first", async (_, query, expected) => {
  expect(await best(query, ...expected.toReversed())).toEqual(expected);
});

test("counts facts beside one with the words as weak evidence", async () => {
  const facts = ["the answer is Thursday", "when does the ferry leave?", ...OTHERS];
  expect(factsOf(await find("ferry leaves", entity("chat", "log", ...OTHERS, ...facts))).slice(0, 2)).toEqual([
    "when does the ferry leave?",
    "the answer is Thursday",
  ]);
});

test("counts words in the name and type of the entity", async () => {
  const page = await find(
    "harbour wall",
    entity("Lisbon", "town", "a wall by the sea"),
    entity("Porto harbour", "place", "a wall by the sea"),
  );
  expect(page.entities.map(({ name }) => name)).toEqual(["Porto harbour", "Lisbon"]);
});

test("orders the best ten facts of all entities before the next ones of any", async () => {
  const facts = (name: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${name} says ferry ${at} is late`);
  const page = await find(
    "ferry says",
    entity("Ann", "person", ...facts("Ann", 15), ...OTHERS),
    entity("Bob", "person", ...facts("Bob", 15), ...OTHERS),
  );
  const [first, second] = page.entities;
  expect((first?.observations.length ?? 0) + (second?.observations.length ?? 0)).toBe(10);
  expect(first?.omitted).toBe(55 - (first?.observations.length ?? 0));
  expect(page.more?.[0]?.observations.length).toBeGreaterThan(0);
  expect(page.truncated).toBe(true);
  expect(page.nextCursor).toBeUndefined();
});
