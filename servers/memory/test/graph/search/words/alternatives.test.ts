// What a memory adds to the words of a query: corrected typing errors, and synonyms that the graph knows.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rankedHits } from "../../../../src/graph/search/ranked-hits.ts";
import { withCorrections, withSynonyms } from "../../../../src/graph/search/words/alternatives.ts";
import { termsOf } from "../../../../src/graph/search/words/query-terms.ts";
import type { Alternative } from "../../../../src/graph/search/words/term.ts";
import { matchEntities } from "../../../../src/graph/search/words/word-matches.ts";
import { entity, relation } from "../../../support/graphs.ts";
import { openMemory, type OpenMemory } from "../../../support/open-memory.ts";

const queryOf = (text: string) => ({ text, allows: () => true });

const whysOf = ({ store }: OpenMemory, query: string): Record<string, string> =>
  Object.fromEntries(Array.from(rankedHits(store, queryOf(query), undefined), (hit) => [hit.entity.name, hit.why]));

/** The alternatives of each term of a query, without those of the language. */
function alternativesOf({ store }: OpenMemory, text: string, extend: typeof withSynonyms): Record<string, readonly string[]> {
  const terms = termsOf(text);
  const extended = extend(store, terms, matchEntities(store, queryOf(text), terms).entities);
  const isOwn = ({ kind }: Alternative): boolean => kind === "similar" || kind === "related";
  return Object.fromEntries(extended.map(({ word, alternatives }) => [word, alternatives.filter(isOwn).map(({ text }) => text)]));
}

describe("corrections", () => {
  test("are made of words that the memory does not have in any form", async () => {
    await using opened = await openMemory([entity("a", "t", "the harbour"), entity("b", "t", "two arbours")]);
    expect(Object.keys(whysOf(opened, "harbours"))).toEqual(["a"]);
    expect(alternativesOf(opened, "harbuor arbours harbours axe", withCorrections)).toEqual({
      harbuor: ["harbour"],
      arbours: [],
      harbours: [],
      axe: [],
    });
  });

  test("are not made of a common word that only entities without the rare word have", async () => {
    const common = Array.from({ length: 160 }, (_, at) => entity(`c${at}`, "t", "likes coffee"));
    await using opened = await openMemory([...common, entity("it", "t", "toffee by the quartz")]);
    expect(whysOf(opened, "quartz coffee")).toEqual({ it: "Has 1 of 2 words: quartz in an observation." });
  });

  test("leave the terms as they are where there are none", async () => {
    await using opened = await openMemory([entity("a", "t", "the harbour")]);
    const terms = termsOf("harbour zebra");
    expect(withCorrections(opened.store, terms, matchEntities(opened.store, queryOf("harbour zebra"), terms).entities)).toBe(terms);
  });
});

describe("synonyms", () => {
  const names = ["steamboat", "boat race", "green tea", "+++", "Nora"];
  const known = names.flatMap((name) => [entity(name, "t", `likes cocoa at ${name.length}`), entity(`kin of ${name}`, "t")]);
  let opened: OpenMemory;
  beforeAll(async () => {
    opened = await openMemory(
      known,
      names.map((name) => relation(name, "same_as", `kin of ${name}`)),
    );
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  test.each([
    ["a whole name", "nora", { nora: ["kin of nora"] }],
    ["a whole name in ankin of form", "green teas", { green: ["kin of green tea"], teas: ["kin of green tea"] }],
    ["a name without letters", "+++ tea", { "+++": ["kin of +++"], tea: [] }],
    ["a part of a word", "boat", { boat: [] }],
    ["a part of a name", "tea", { tea: [] }],
    ["a word in observations", "cocoa", { cocoa: [] }],
    ["parts of words that are as many as the name has", "boat rac", { boat: [], rac: [] }],
  ])("of %s are %j", (_, query, alternatives) => {
    expect(alternativesOf(opened, query, withSynonyms)).toEqual(alternatives);
  });

  test("of a word in several names are those of all of them, once", async () => {
    await using opened = await openMemory(
      [entity("tea", "t"), entity("Tea", "t"), entity("chai", "t"), entity("CHAI", "t"), entity("cha", "t")],
      [relation("tea", "aka", "chai"), relation("Tea", "aka", "CHAI"), relation("Tea", "aka", "cha")],
    );
    const { tea } = alternativesOf(opened, "tea", withSynonyms);
    expect(tea?.toSorted()).toEqual(["cha", "chai"]);
  });

  test("are read of the first ten entities that the query names", async () => {
    const places = Array.from("abcdefghijk", (letter) => `port${letter}`);
    await using opened = await openMemory(
      places.flatMap((name) => [entity(name, "t"), entity(`old ${name}`, "t")]),
      places.map((name) => relation(name, "aka", `old ${name}`)),
    );
    const alternatives = alternativesOf(opened, places.join(" "), withSynonyms);
    expect(Object.entries(alternatives).filter(([, texts]) => texts.length > 0)).toHaveLength(10);
  });

  test("leave the terms as they are where there are none", async () => {
    await using opened = await openMemory([entity("Nora", "t"), entity("tea", "t")], [relation("Nora", "likes", "tea")]);
    const terms = termsOf("nora tea");
    expect(withSynonyms(opened.store, terms, matchEntities(opened.store, queryOf("nora tea"), terms).entities)).toBe(terms);
  });
});
