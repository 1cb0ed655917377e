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
  ]);
});
afterAll(() => opened[Symbol.asyncDispose]());

/** The terms that each entity has, as `found@place`, and its observation. */
function matchesOf(query: string, allows = (_type: string): boolean => true): Record<string, { terms: string[]; observation?: string }> {
  const matches = matchEntities(opened.store, { text: query, allows: ({ type }) => allows(type) }, termsOf(query));
  return Object.fromEntries(
    matches.map(({ entity: { name }, matches, observation }) => [
      name,
      { terms: matches.map(({ found, place }) => `${found}@${place}`), ...(observation !== undefined && { observation }) },
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

describe("the observation", () => {
  test.each([
    ["is the one with the most terms", "most", "stern and keel"],
    ["is the newest of those with as many terms", "newest", "keel and stern"],
    ["is missing where none has a term", "named keel", undefined],
  ])("%s", (_, name, observation) => expect(matchesOf("stern keel")[name]?.observation).toBe(observation));
});

describe("the entities", () => {
  test("are not those whose texts have the letters of a word apart", () => {
    expect(matchesOf("tomato")).toEqual({ it: { terms: ["tomato@observation"], observation: "a tomato" } });
  });

  test("are those that the query allows", () => {
    expect(Object.keys(matchesOf("keel", (type) => type === "rig"))).toEqual(["named keel"]);
  });
});
