// Hits by the words of a query: which terms it has, which entities are candidates, and how they rank.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Entity } from "../../../src/graph/model.ts";
import type { HitPosition } from "../../../src/graph/search/hit.ts";
import { termsOf } from "../../../src/graph/search/words/query-terms.ts";
import { rankedHits } from "../../../src/graph/search/ranked-hits.ts";
import { entity } from "../../support/graphs.ts";
import { openMemory, type OpenMemory } from "../../support/open-memory.ts";

test.each([
  ["", []],
  ["tea", ["tea"]],
  [" tea", ["tea"]],
  ["tea\u3000", ["tea"]],
  ["green  tea", ["green", "tea"]],
  ["green\u3000tea", ["green", "tea"]],
  ["tea tea. (tea)", ["tea"]],
  ['"where «does ¿anna work?" 7!', ["anna", "work", "7"]],
  ["((7)) ends...", ["7", "ends"]],
  ["c++ .net o'clock wait ...", ["c++", ".net", "o'clock", "wait", "..."]],
  ["ada's boat", ["ada", "boat"]],
  ["who are you", ["who", "are", "you"]],
  ["a(b c.d x", ["a(b", "c.d", "x"]],
  ["1 2 3 4 5 6 7 8 9 10 11 12 13", ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"]],
])("splits %j into the terms %j", (query, words) => {
  expect(termsOf(query).map(({ word }) => word)).toEqual(words);
});

interface Options {
  readonly after?: HitPosition;
  readonly types?: readonly string[];
}

const hitsOf = ({ store }: OpenMemory, query: string, { after, types }: Options = {}) => [
  ...rankedHits(store, { text: query, allows: ({ type }) => types?.includes(type) ?? true }, after),
];

const namesOf = (opened: OpenMemory, query: string, options: Options = {}): string[] =>
  hitsOf(opened, query, options).map((hit) => hit.entity.name);

describe("the rank", () => {
  const ENTITIES = [
    entity("Anna", "Sailor", "likes coffee", "likes tea", "sleeps"),
    entity("tea and coffee", "t", "likes boats"),
    entity("Ben", "tea seller", "likes Coffee and no boats", "coffee again", "boats, coffee"),
    entity("said", "t", "my tea coffee boats"),
    entity("none", "t", "milk"),
    entity("coffee", "t"),
  ];

  test("counts words, their places and how rare they are, then prefers the newest", async () => {
    await using opened = await openMemory(ENTITIES);
    expect(hitsOf(opened, "coffee boats tea").map((hit) => [hit.entity.name, hit.score, hit.observation])).toEqual([
      ["Ben", 0.6, "boats, coffee"],
      ["said", 0.6, "my tea coffee boats"],
      ["tea and coffee", 0.6, "likes boats"],
      ["Anna", 0.33, "likes tea"],
      ["coffee", 0.17, undefined],
    ]);
    expect(hitsOf(opened, "coffee boats tea").at(-1)).not.toHaveProperty("observation");
  });

  test("leaves out entities that contain the whole query, and types that are not allowed", async () => {
    await using opened = await openMemory(ENTITIES);
    expect(namesOf(opened, "tea coffee")).toEqual(["tea and coffee", "Ben", "Anna", "coffee"]);
    expect(namesOf(opened, "tea seller")).toEqual(["tea and coffee", "Anna", "said"]);
    expect(namesOf(opened, "coffee  boats")).not.toContain("none");
    expect(hitsOf(opened, "tea boats", { types: ["tea seller"] }).map((hit) => hit.entity.name)).toEqual(["Ben"]);
    expect(namesOf(opened, "juniper gin")).toEqual([]);
  });

  test("continues after a position, whatever its tier", async () => {
    await using opened = await openMemory([...ENTITIES, entity("also", "t", "likes coffee"), entity("too", "t", "likes coffee")]);
    const all = hitsOf(opened, "coffee boats tea");
    expect(all.slice(-3).map((hit) => hit.entity.name)).toEqual(["coffee", "too", "also"]);
    for (const [at, { position }] of all.entries())
      expect(namesOf(opened, "coffee boats tea", { after: position })).toEqual(all.slice(at + 1).map((hit) => hit.entity.name));
    expect(namesOf(opened, "coffee boats tea", { after: [3, 1] })).toHaveLength(all.length);
  });

  test("looks at the newest thousand observations of an entity", async () => {
    const later = Array.from({ length: 999 }, (_, at) => `note ${at}`);
    await using opened = await openMemory([entity("a", "t", "coffee", "tea", ...later), entity("b", "t", "coffee")]);
    expect(hitsOf(opened, "coffee tea").map((hit) => [hit.entity.name, hit.score, hit.observation])).toEqual([
      ["a", 0.25, "tea"],
      ["b", 0.25, "coffee"],
    ]);
  });
});

describe("the candidates", () => {
  /** Two common words, each with more than 3000 observations, and a common name. */
  const COMMON = 3100;
  const many = (count: number, word: string): Entity[] =>
    Array.from({ length: count }, (_, at) => entity(`${word.slice(0, 1)}${at}`, "t", `likes ${word}`));
  let opened: OpenMemory;
  beforeAll(async () => {
    opened = await openMemory([
      entity("old both", "t", "coffee with juniper"),
      entity("old apart", "t", "coffee", "juniper"),
      ...many(COMMON, "coffee"),
      ...many(COMMON, "juniper"),
      entity("rare one", "t", "quartz"),
      entity("rare and common", "t", "quartz in coffee"),
      entity("new apart", "t", "coffee", "juniper"),
      ...Array.from({ length: 200 }, (_, at) => entity(`harbour ${at}`, "t")),
      ...Array.from({ length: 200 }, (_, at) => entity(`x${at}`, "lagoon")),
      entity("short", "t", "an ox"),
    ]);
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  test("are the entities with a rare word", () => {
    expect(namesOf(opened, "coffee quartz")).toEqual(["rare and common", "rare one"]);
    expect(namesOf(opened, "harbour quartz lagoon").toSorted()).toEqual(["rare and common", "rare one"]);
    expect(namesOf(opened, "ox quartz").toSorted()).toEqual(["rare and common", "rare one"]);
  });

  test("are for common words the newest of each, and entities with all words in one text or several", () => {
    const names = namesOf(opened, "juniper coffee");
    expect(names.slice(0, 2)).toEqual(["old both", "new apart"]);
    expect(names).not.toContain("old apart");
    expect([names.filter((name) => name.startsWith("j")).length, names.filter((name) => name.startsWith("c")).length]).toEqual([39, 38]);
  });

  test("are the newest names and types with a common word", () => {
    const names = namesOf(opened, "harbour lagoon");
    expect(names).toHaveLength(80);
    expect([names.filter((name) => name.startsWith("harbour")).at(-1), names.filter((name) => name.startsWith("x")).at(-1)]).toEqual([
      "harbour 160",
      "x160",
    ]);
  });

  test("are the entities with a short word where the others have none", () => {
    expect(namesOf(opened, "ox zebra")).toEqual(["short"]);
    expect(namesOf(opened, "7 ox")).toContain("short");
    expect(namesOf(opened, "zebra yak")).toEqual([]);
  });
});
