// Which terms of a query an entity has, where, and in which form.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { termsOf } from "../../../../src/graph/search/words/query-terms.ts";
import { matchEntities } from "../../../../src/graph/search/words/word-matches.ts";
import { entity } from "../../../support/graphs.ts";
import { openMemory, type OpenMemory } from "../../../support/open-memory.ts";

let opened: OpenMemory;
beforeAll(async () => {
  opened = await openMemory([
    entity("oars", "oar", "one oar"),
    entity("typed", "oars", "one oar"),
    entity("old", "t", "one oar", "two oars"),
    entity("new", "t", "two oars", "one oar"),
    entity("equal", "t", "two oared", "two oars"),
    entity("green boat", "t", "a tall mast"),
    entity("most", "t", "stern and keel", "a stern", "a keel"),
    entity("newest", "t", "stern and keel", "keel and stern"),
    entity("named keel", "rig", "nothing"),
    entity("letters apart", "t", "tom has oma, mat, ato"),
    entity("it", "t", "a tomato"),
    entity("often", "t", "the oar of all oars", "the end"),
  ]);
});
afterAll(() => opened[Symbol.asyncDispose]());

/** The terms that each entity has, as `found@place`, and its observations, as many terms and filler words as each has. */
function matchesOf(query: string, allows = (_type: string): boolean => true): Record<string, { terms: string[]; facts: unknown[] }> {
  const { entities } = matchEntities(opened.store, { text: query, allows: ({ type }) => allows(type) }, termsOf(query));
  return Object.fromEntries(
    entities.map(({ entity: { name }, matches, facts }) => [
      name,
      {
        terms: matches.map(({ found, place }) => `${found}@${place}`),
        facts: facts.map(({ row, terms, fillers }) => [row.text, terms.map(({ count }) => count), fillers]),
      },
    ]),
  );
}

describe("the form of a term", () => {
  test.each([
    ["is that in the name, whatever else has it", "oars", "oars@name"],
    ["is that in the type before observations", "typed", "oars@type"],
    ["is the best among observations, if the best is old", "old", "oar@observation"],
    ["is the best among observations, if the best is new", "new", "oar@observation"],
    ["is that of the newest of equal observations", "equal", "oars@observation"],
  ])("%s", (_, name, term) => expect(matchesOf("oar")[name]?.terms).toEqual([term]));
});

test("orders matches as the query does", () => {
  const terms = ["mast@observation", "boat@name", "tall@observation", "green@name"];
  expect(matchesOf("mast boat tall green")["green boat"]?.terms).toEqual(terms);
});

describe("the observations", () => {
  test("are all of an entity, oldest first, with the terms of each", () => {
    expect(matchesOf("stern keel")["most"]?.facts).toEqual([
      ["stern and keel", [1, 1], []],
      ["a stern", [1], []],
      ["a keel", [1], []],
    ]);
    expect(matchesOf("stern keel")["named keel"]?.facts).toEqual([["nothing", [], []]]);
  });

  test("have how often a term occurs, in any form, and the filler words beside it", () => {
    expect(matchesOf("where is the oar and a mast")["often"]?.facts).toEqual([
      ["the oar of all oars", [2], ["the"]],
      ["the end", [], []],
    ]);
  });
});

describe("the entities", () => {
  test("are not those whose texts have the letters of a word apart", () => {
    expect(matchesOf("tomato")).toEqual({ it: { terms: ["tomato@observation"], facts: [["a tomato", [1], []]] } });
  });

  test("are those that the query allows", () => {
    expect(Object.keys(matchesOf("keel", (type) => type === "rig"))).toEqual(["named keel"]);
  });
});
