// Resources, their lists, completions and prompts, in every revision.
import { describe, expect, test } from "vitest";
import { entity, relation } from "../support/graphs.ts";
import { serveMemory, type MemoryFixture } from "../support/memory-fixture.ts";
import { everyRevisionOfStore } from "../support/store-under-test.ts";

const graph = {
  entities: [entity("Ada/Byron", "person", "wrote notes"), entity("an engine?#1", "machine"), entity("Ben", "person")],
  relations: [relation("Ada/Byron", "describes", "an engine?#1"), relation("Ben", "knows", "Ada/Byron")],
};

async function read({ client }: MemoryFixture, uri: string): Promise<unknown> {
  const { contents } = await client.read(uri);
  expect(contents).toEqual([{ uri, mimeType: "application/json", text: expect.any(String) }]);
  return JSON.parse((contents[0] as { text: string }).text);
}

everyRevisionOfStore("RES-18 RES-20 listed resources and templates can be read, and their URIs are well-formed", async (revision) => {
  await using memory = await serveMemory({ ...graph, options: { revision } });
  const listed = (await Array.fromAsync(memory.client.resources())).map(({ uri }) => uri);
  expect(listed).toEqual([
    "memory://knowledge-graph",
    "memory://recent",
    "memory://stats",
    "memory://entity/Ben",
    "memory://entity/an%20engine%3F%231",
    "memory://entity/Ada%2FByron",
  ]);
  for (const uri of listed) {
    expect(uri).toMatch(/^memory:\/\/(?:[A-Za-z0-9\-._~/]|%[0-9A-F]{2})+$/);
    await read(memory, uri);
  }
  expect(await read(memory, "memory://knowledge-graph")).toEqual(graph);
  expect(await read(memory, "memory://entity/Ada%2FByron")).toEqual({ entities: [graph.entities[0]], relations: graph.relations });
  expect(await read(memory, "memory://type/person")).toEqual({
    entities: [graph.entities[0], graph.entities[2]],
    relations: graph.relations,
  });
  expect(await read(memory, "memory://relation/knows")).toEqual({ entities: [], relations: [graph.relations[1]] });
  expect(await read(memory, "memory://stats")).toMatchObject({ entities: 3, relations: 2, observations: 1 });
  expect(await read(memory, "memory://recent")).toMatchObject({ relations: graph.relations });
});

everyRevisionOfStore("RES-13 an unknown URI is not found, and the error names it", async (revision) => {
  await using memory = await serveMemory({ ...graph, options: { revision } });
  for (const uri of ["memory://entity/Nobody", "memory://type/none", "memory://relation/none", "memory://other"])
    await expect(memory.client.read(uri)).rejects.toMatchObject({ data: { uri } });
  await expect(memory.client.read("memory://entity/%E0%A4%A")).rejects.toThrow("Malformed percent escape");
});

test("truncates a graph that is too large for one reply, and marks it", async () => {
  await using memory = await serveMemory({ ...graph, maxResultBytes: 600 });
  expect(await read(memory, "memory://knowledge-graph")).toMatchObject({ truncated: true, total: { entities: 3, relations: 2 } });
});

describe("completion", () => {
  const cases: readonly [string, Parameters<MemoryFixture["client"]["complete"]>[0], string, string, string[]][] = [
    ["entities by their begin, whatever its case", { type: "ref/resource", uri: "memory://entity/{name}" }, "name", "ada b", ["Ada/Byron"]],
    ["entities that hold it", { type: "ref/resource", uri: "memory://entity/{name}" }, "name", "gine", ["an engine?#1"]],
    ["types, the commonest first", { type: "ref/resource", uri: "memory://type/{entityType}" }, "entityType", "", ["person", "machine"]],
    ["relations", { type: "ref/resource", uri: "memory://relation/{relationType}" }, "relationType", "know", ["knows"]],
    ["topics", { type: "ref/prompt", name: "recall" }, "topic", "Be", ["Ben"]],
    ["the type of a prompt", { type: "ref/prompt", name: "review_memory" }, "entityType", "m", ["machine"]],
    ["nothing that is not there", { type: "ref/prompt", name: "memory_instructions" }, "user", "zzz", []],
  ];
  test.each(cases)("%s", async (_what, ref, name, value, wanted) => {
    await using memory = await serveMemory(graph);
    expect((await memory.client.complete(ref, { name, value })).values).toEqual(wanted);
  });
});

everyRevisionOfStore("PROMPT-02 the prompts are listed with descriptions of their arguments", async (revision) => {
  await using memory = await serveMemory({ ...graph, options: { revision } });
  const prompts = await Array.fromAsync(memory.client.prompts());
  expect(prompts.map(({ name, arguments: given }) => [name, given?.map((one) => one.name)])).toEqual([
    ["memory_instructions", ["user"]],
    ["recall", ["topic", "entityType"]],
    ["review_memory", ["entityType"]],
  ]);
  for (const { arguments: given = [] } of prompts) for (const { description } of given) expect(description).toMatch(/^.{3,}$/);
  const instructions = JSON.stringify((await memory.client.prompt("memory_instructions", { user: "Ada" })).messages);
  expect(instructions).toContain("open_nodes for Ada");
  const { messages } = await memory.client.prompt("recall", { topic: "ada" });
  expect(JSON.stringify(messages)).toContain("wrote notes");
  expect(JSON.stringify((await memory.client.prompt("recall", { topic: "zzz" })).messages)).toContain("holds nothing about zzz");
  for (const topic of ["", " \n"]) await expect(memory.client.prompt("recall", { topic })).rejects.toThrow("topic is empty");
  expect(JSON.stringify((await memory.client.prompt("review_memory", {})).messages)).toContain('\\"orphans\\":0');
});
