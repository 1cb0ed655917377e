// A query of one word: hits that have it as a word of their own come before those that have it within other words.
import { expect, test } from "vitest";
import type { Entity } from "../../../src/graph/model.ts";
import { entity } from "../../support/graphs.ts";
import { serveMemory, type MemoryFixture } from "../../support/memory-fixture.ts";

async function paged(memory: MemoryFixture, query: string, limit: number, between?: () => Promise<unknown>): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: unknown; ;) {
    const page = await memory.call("search_nodes", { query, limit, ...(cursor !== undefined && { cursor }) });
    found.push(...(page["entities"] as Entity[]).map(({ name }) => name));
    cursor = page["nextCursor"];
    if (cursor === undefined) return found;
    await between?.();
  }
}

const TEA = [
  entity("Ann", "person", "likes green tea", "works at the mill"),
  entity("steamer", "ship"),
  entity("Bo", "person", "two teas a day"),
  entity("team", "group", "plays"),
  entity("Cy", "person", "drinks tea", "teaches French"),
  entity("Di", "steady"),
  entity("Zoe", "person", "teaches maths"),
  entity("tea", "drink"),
  entity("Ed", "person", "stole a steak", "a tea"),
];
const ORDER = ["tea", "Ed", "Cy", "Bo", "Ann", "team", "steamer", "Di", "Zoe"];

test("finds tea before teaches, wherever each stands", async () => {
  await using memory = await serveMemory({ entities: TEA });
  expect(await memory.search("tea")).toEqual(ORDER);
});

test.each([1, 2, 3, 4])("finds each once over pages of %i", async (limit) => {
  await using memory = await serveMemory({ entities: TEA });
  expect(await paged(memory, "tea", limit)).toEqual(ORDER);
});

test("finds each once over pages while others are created", async () => {
  await using memory = await serveMemory({ entities: TEA });
  let count = 0;
  const found = await paged(memory, "tea", 2, async () => {
    count += 1;
    await memory.call("create_entities", { entities: [entity(`new ${count}`, "t", count % 2 === 0 ? "teapot" : "tea")] });
  });
  expect(found.filter((name) => !name.startsWith("new"))).toEqual(ORDER);
  expect(new Set(found).size).toBe(found.length);
});

test.each([1, 60, 90])("looks for whole words behind two hundred others at most, over pages of %i", async (limit) => {
  const within = Array.from({ length: 230 }, (_, at) => entity(`n${at}`, "t", `teaches ${at}`));
  await using memory = await serveMemory({
    entities: [entity("first", "t", "tea"), ...within.slice(0, 100), entity("last", "t", "tea"), ...within.slice(100)],
  });
  const newestFirst = within.map(({ name }) => name).toReversed();
  const wanted = ["last", ...newestFirst.slice(0, 200), ...newestFirst.slice(200), "first"];
  expect(await paged(memory, "tea", limit)).toEqual(wanted);
});
