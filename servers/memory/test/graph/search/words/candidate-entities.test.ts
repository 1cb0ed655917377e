// Which entities a search by words looks at: all with a rare word, and the newest with common ones.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Entity } from "../../../../src/graph/model.ts";
import { candidateEntities } from "../../../../src/graph/search/words/candidate-entities.ts";
import { termsOf, type Alternative } from "../../../../src/graph/search/words/query-terms.ts";
import { entity } from "../../../support/graphs.ts";
import { openMemory, type OpenMemory } from "../../../support/open-memory.ts";

/** Names of the candidates. `alternatives`: for words of the query. */
const namesOf = ({ store }: OpenMemory, query: string, alternatives: Readonly<Record<string, string>> = {}): string[] => {
  const alternativesOf = (word: string): Alternative[] => (word in alternatives ? [{ kind: "related", text: alternatives[word]! }] : []);
  const terms = termsOf(query).map((term) => ({ ...term, alternatives: alternativesOf(term.word) }));
  return [...candidateEntities(store, terms).ids].map((id) => store.entities.byId(id)?.name ?? "");
};

/** How many candidates there are of each name, without the number at its end. */
function countsOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names.map((name) => name.replace(/ \d+$/, ""))) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

const many = (count: number, name: string, type = "t", ...observations: readonly string[]): Entity[] =>
  Array.from({ length: count }, (_, at) => entity(`${name} ${at}`, type, ...observations));

describe("a word", () => {
  let opened: OpenMemory;
  beforeAll(async () => {
    opened = await openMemory([
      entity("keel old", "t", "a rope"),
      ...many(150, "mast"),
      ...many(150, "keel"),
      ...many(150, "one", "t", "a sail"),
      ...many(150, "two", "t", "a rope"),
      ...many(150, "three", "sloop"),
      ...many(151, "four", "ketch"),
      entity("short", "t", "an ox"),
      entity("hull", "t", "one hull"),
      entity("plural", "t", "two ropes"),
    ]);
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  test.each([
    ["in 150 names", "mast", { mast: 150 }],
    ["in 151 names", "keel", { keel: 40 }],
    ["in 150 observations", "sail", { one: 150 }],
    ["in 152 observations", "rope", { two: 39, plural: 1 }],
    ["in a type of 150", "sloop", { three: 150 }],
    ["in a type of 151", "ketch", { four: 40 }],
    ["in 150 names, beside a common one", "keel mast", { mast: 150 }],
    ["in 151 names, beside one in 152 observations", "keel rope", { "keel old": 1, keel: 40, two: 39, plural: 1 }],
    ["in a text, beside a short one", "ox hull", { hull: 1 }],
    ["in no text, beside a short one", "ox zebra", { short: 1 }],
    ["in no text", "zebra", {}],
    ["with a common form", "ropes hull", { plural: 1, two: 39, hull: 1 }],
    ["with a form in a text", "hulls", { hull: 1 }],
  ])("%s leads to so many entities: %s", (_, query, counts) => expect(countsOf(namesOf(opened, query))).toEqual(counts));

  test.each([
    ["in no text to those of the alternative", "boat", { boat: "hull" }, { hull: 1 }],
    ["that is common to its own only", "rope", { rope: "hull" }, { two: 39, plural: 1 }],
  ])("with an alternative leads %s", (_, query, alternatives, counts) => {
    expect(countsOf(namesOf(opened, query, alternatives))).toEqual(counts);
  });

  test("that is common leads to its newest entities", () => {
    expect(namesOf(opened, "keel")).toEqual(Array.from({ length: 40 }, (_, at) => `keel ${149 - at}`));
  });
});

describe("common words", () => {
  let opened: OpenMemory;
  beforeAll(async () => {
    opened = await openMemory([
      entity("coffee with juniper", "t"),
      entity("both", "t", "coffee with juniper"),
      ...many(200, "apart", "t", "coffee", "juniper"),
      ...many(45, "coffee"),
      ...many(45, "juniper"),
      entity("short", "t", "an ox"),
      entity("long", "t", "oxen"),
      entity("rare", "t", "quartz"),
    ]);
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  test.each(["coffee juniper", "junipers coffees"])(
    "lead to the newest, those with both, and old ones with both in a text: %s",
    (query) => {
      const names = namesOf(opened, query);
      const newest = { apart: 150, coffee: 40, juniper: 40 };
      expect(countsOf(names)).toEqual({ "coffee with juniper": 1, both: 1, ...newest });
      expect(names.filter((name) => /^apart (?:[0-9]|[1-4][0-9])$/.test(name))).toEqual([]);
    },
  );

  test("and short ones say less than a rare one, but a short one with alternatives is rare", () => {
    expect(namesOf(opened, "ox coffee quartz")).toEqual(["rare"]);
    expect(namesOf(opened, "ox coffee quartz", { ox: "oxen" }).toSorted()).toEqual(["long", "rare", "short"]);
  });
});
