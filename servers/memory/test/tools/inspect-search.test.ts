// inspect_search, compared with search_nodes: the same facts in the same order, and what is cut.
import { expect, test } from "vitest";
import type { Inspection } from "../../src/graph/search/search.ts";
import { entity, relation } from "../support/graphs.ts";
import { serveMemory, text, type MemoryFixture } from "../support/memory-fixture.ts";

const TOOLSETS = ["default", "inspect"];
const people = Array.from({ length: 40 }, (_, at) =>
  entity(`Person ${at}`, "person", `repairs boats in harbour ${at}`, "likes tea", `has ${at} boats, and paints some of them green`),
);

interface FoundPage {
  readonly entities: readonly { readonly name: string; readonly observations: readonly string[] }[];
  readonly more?: FoundPage["entities"];
}

const inspected = async (memory: MemoryFixture, args: Record<string, string | number>): Promise<Inspection> =>
  (await memory.call("inspect_search", args)) as unknown as Inspection;

test("is in a toolset that is off by default", async () => {
  await using memory = await serveMemory();
  expect((await memory.client.tools().all()).map(({ name }) => name)).not.toContain("inspect_search");
});

test.each([
  ["max_tokens", { query: "green boat", max_tokens: 200 }],
  ["limit", { query: "green boat", limit: 3 }],
  ["max_tokens", { query: "boats", max_tokens: 200 }],
])("names the facts that search_nodes shows, and cuts the others by %s", async (by, args) => {
  await using memory = await serveMemory({ entities: people, toolsets: TOOLSETS });
  const { entities, more = [] } = (await memory.call("search_nodes", args)) as unknown as FoundPage;
  const { facts, cut, candidates } = await inspected(memory, args);
  const listed = facts.filter((one) => one.cut === undefined).map(({ entity, fact }) => `${entity}: ${fact}`);
  const found = [...entities, ...more].flatMap(({ name, observations }) => observations.map((one) => `${name}: ${one}`));
  expect(facts[0]?.entity).toBe(entities[0]?.name);
  expect(found).toEqual(expect.arrayContaining(listed));
  expect(facts.some((one) => one.cut === by)).toBe(true);
  expect(facts).toHaveLength(50);
  expect(candidates).toBeGreaterThan(50);
  expect(cut.limit + cut.max_tokens).toBe(candidates - found.length);
});

test("adds up the parts of a score, by which facts with the same words are ordered", async () => {
  const entities = [
    entity("Ada", "painter", "repairs the green boat", "likes tea"),
    entity("Boat shop", "place", "sells green paint"),
    entity("Bea", "person", "rows a boat", "lives in Porto"),
  ];
  await using memory = await serveMemory({ entities, relations: [relation("Bea", "paints", "Ada")], toolsets: TOOLSETS });
  const { facts } = await inspected(memory, { query: "green boats" });
  const sumOf = ({ parts }: (typeof facts)[number]): number => (parts?.words ?? 0) + (parts?.name ?? 0) + (parts?.around ?? 0);
  const sums = facts.map((one) => ({ level: one.parts?.level ?? 0, sum: Math.round(sumOf(one) * 1e4) }));
  expect(sums).toEqual(sums.toSorted((a, b) => b.level - a.level || b.sum - a.sum));
  expect(facts[0]).toMatchObject({
    rank: 1,
    entity: "Ada",
    fact: "repairs the green boat",
    hasWholeQuery: false,
    parts: { level: 2, name: 0 },
  });
  expect(facts.find((one) => one.entity === "Boat shop")?.parts?.name).toBeGreaterThan(0);
  expect(facts.every(({ recorded }) => recorded === new Date().toISOString().slice(0, 10))).toBe(true);
});

test("is a table with sentences, also where nothing is found", async () => {
  await using memory = await serveMemory({ entities: [entity("Ada", "person", "likes\ntea")], toolsets: TOOLSETS });
  const found = text(await memory.client.call("inspect_search", { query: "tea" }));
  expect(found).toMatch(
    /^rank \| entity \| fact \| found \| words \| name \| around \| meaning \| recorded \| cut by\n1 \| Ada \| likes\\ntea \| whole query \| /,
  );
  expect(found).toContain("1 candidate of 1 entity, of which 0 are cut by max_tokens and 0 by limit.");
  expect(text(await memory.client.call("inspect_search", { query: "quartz" }))).toBe("No entity or fact has a word of the query.");
});
