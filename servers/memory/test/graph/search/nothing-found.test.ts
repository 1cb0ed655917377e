// What a search without a hit answers, and former names.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { entity, relation } from "../../support/graphs.ts";
import { serveMemory, text, type MemoryFixture } from "../../support/memory-fixture.ts";

/** The text after the data. */
async function remarkOf(memory: MemoryFixture, query: string, more = {}): Promise<string> {
  const reply = await memory.client.call("search_nodes", { query, ...more });
  expect(JSON.parse(text({ ...reply, content: reply.content.slice(0, 1) }))).toEqual({ entities: [], relations: [] });
  return text({ ...reply, content: reply.content.slice(1) });
}

/** Days as DAY: a run may last over midnight. */
const undated = (reply: string): string => reply.replaceAll(/\d{4}-\d\d-\d\d/g, "DAY");

describe("a search without a hit", () => {
  let memory: MemoryFixture;
  beforeAll(async () => {
    memory = await serveMemory({
      entities: [
        entity("Ann Weber", "person", "drives a red tractor"),
        entity("Bartholomew", "person", "lives in Lisbon"),
        entity("Quarry", "place", "closed since May"),
        entity("Old Mill", "place", "grinds spelt"),
      ],
    });
    await memory.call("add_observations", {
      observations: [{ entityName: "Ann Weber", contents: ["drives a blue van"], supersedes: ["drives a red tractor"] }],
    });
    await memory.call("delete_entities", { entityNames: ["Quarry"] });
  });
  afterAll(() => memory[Symbol.asyncDispose]());

  test.each([
    [
      "zzyzx",
      "Nothing found. No fact has: zzyzx. There are past facts: get_history or open_nodes with asOf. 3 entities: an empty query lists them.",
    ],
    ["*", "Nothing found: * is searched as text. An empty query lists everything, the newest first."],
    ["Barthelomiu", "Nothing found. No fact has: barthelomiu. Similar: Bartholomew. 3 entities: an empty query lists them."],
    [
      "what about tractors?",
      "Nothing found. 1 past fact: Ann Weber, get_history or open_nodes with asOf. 3 entities: an empty query lists them.",
    ],
    [
      "Where did we want to go at first? A tractor show",
      "Nothing found. No fact has: want, go, first. 1 past fact: Ann Weber, get_history or open_nodes with asOf. 3 entities: an empty query lists them.",
    ],
    [
      "quarry",
      "Nothing found. No fact has: quarry. Quarry was deleted on DAY: get_history or open_nodes with asOf. 3 entities: an empty query lists them.",
    ],
  ])("for %j tells what is known", async (query, expected) => expect(undated(await remarkOf(memory, query))).toBe(expected));

  test("names past facts beside hits", async () => {
    const { content } = await memory.client.call("search_nodes", { query: "the tractor of Weber" });
    expect(content.slice(1).flatMap((block) => (block.type === "text" ? undated(block.text).split("\n") : []))).toEqual([
      "Only past facts of Ann Weber have tractor: get_history or open_nodes with asOf.",
      "All recorded DAY.",
      "Past facts, in get_history or open_nodes with asOf: 1 of Ann Weber.",
    ]);
  });

  test("names the past facts of each word", async () => {
    await using other = await serveMemory({
      entities: [entity("Ann", "person", "drives a red tractor"), entity("Bo", "person", "owns a canoe")],
    });
    await other.call("add_observations", {
      observations: [
        { entityName: "Ann", contents: ["drives a van"], supersedes: ["drives a red tractor"] },
        { entityName: "Bo", contents: ["owns a tent"], supersedes: ["owns a canoe"] },
      ],
    });
    const remark = await remarkOf(other, "red tractor canoe zzyzx");
    expect(remark).toMatch(/^Nothing found\. No fact has: zzyzx\. 1 past fact/);
    for (const name of ["Ann", "Bo"]) expect(remark).toContain(`1 past fact: ${name}, get_history or open_nodes with asOf.`);
  });

  test("names what the filters leave out", async () => {
    expect(await remarkOf(memory, "Lisbon", { entityTypes: ["place"] })).toBe(
      "Nothing found. Without the filters: Bartholomew. 3 entities: an empty query lists them.",
    );
  });

  test("has the same as data, and nothing beside hits", async () => {
    expect(await memory.call("search_nodes", { query: "Quarry" })).toMatchObject({
      nothingFound: {
        unknownWords: ["quarry"],
        similar: [],
        past: [],
        deleted: [{ name: "Quarry", at: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) }],
        entities: 3,
      },
    });
    expect(await memory.call("search_nodes", { query: "spelt" })).not.toHaveProperty("nothingFound");
  });

  test.each([
    ["Welches Auto fährt Bruno?", "The facts are in English: search in their words."],
    ["Où habite donc Bruno ?", "The facts are in English: search in their words."],
    ["which car does Bruno like?", undefined],
    ["Bruno zzyzx", undefined],
  ])("in another language names that of the facts: %s", async (query, expected) => {
    const remark = await remarkOf(memory, query);
    if (expected === undefined) expect(remark).not.toContain("The facts are in");
    else expect(remark).toContain(expected);
  });

  test("in English names the German of the facts", async () => {
    await using german = await serveMemory({
      entities: [entity("Anna", "Person", "wohnt mit ihrem Hund in Bremen", "fährt ein rotes Auto")],
    });
    expect(await remarkOf(german, "who owns a bicycle?")).toContain("The facts are in German: search in their words.");
    expect(await remarkOf(german, "wer hat ein Fahrrad?")).not.toContain("The facts are in");
  });

  test("in an empty memory says that it is empty", async () => {
    await using empty = await serveMemory();
    expect(await remarkOf(empty, "Ann")).toBe("Nothing found: this memory is empty.");
  });
});

test("tells of a deleted entity that is opened when it was deleted", async () => {
  await using memory = await serveMemory({ entities: [entity("Quarry", "place"), entity("Mill", "place")] });
  await memory.call("delete_entities", { entityNames: ["Quarry"] });
  const reply = await memory.client.call("open_nodes", { names: ["Quarry"] });
  expect(undated(text(reply))).toContain("Not found: Quarry (deleted on DAY: get_history or open_nodes with asOf).");
});

test("finds an entity by its former name, and by the name of one that was merged into it", async () => {
  await using memory = await serveMemory({
    entities: [entity("Lady Byron", "person", "plays chess"), entity("Countess", "person", "rows at dawn"), entity("Mill", "place")],
    relations: [relation("Mill", "owned_by", "Lady Byron")],
    allowPurge: true,
  });
  await memory.call("update_entities", { updates: [{ name: "Lady Byron", newName: "Ada King" }] });
  await memory.call("update_entities", { updates: [{ name: "Countess", newName: "Ada King", merge: true }] });
  for (const query of ["lady byron", "What does Lady Byron play?", "countess"]) expect((await memory.search(query))[0]).toBe("Ada King");
});

test("lists what had a name before what mentions it, and after what has it in its name", async () => {
  await using memory = await serveMemory({
    entities: [
      entity("Lady Byron", "person", "plays chess"),
      entity("Mill", "place", "sold by Lady Byron"),
      entity("Sky", "ship"),
      entity("Bob", "ship"),
    ],
    allowPurge: true,
  });
  const rename = (name: string, newName: string) =>
    memory.call("update_entities", { updates: [{ name, newName, merge: newName === "Sky" }] });
  await rename("Lady Byron", "Ada King");
  await rename("Bob", "Sky");
  await memory.call("create_entities", { entities: [entity("Bobby", "person", "talks of Bob"), entity("Lady Byron Lane", "street")] });
  for (const limit of [1, 25])
    for (const [query, wanted] of [
      ["lady byron", ["Lady Byron Lane", "Ada King", "Mill"]],
      ["Bob", ["Bobby", "Sky"]],
    ] as const) {
      const found: string[] = [];
      for (let cursor: unknown; ;) {
        const page = await memory.call("search_nodes", { query, limit, ...(cursor !== undefined && { cursor }) });
        found.push(...(page["entities"] as { name: string }[]).map(({ name }) => name));
        cursor = page["nextCursor"];
        if (cursor === undefined) break;
      }
      expect(found).toEqual(wanted);
    }
  const { content } = await memory.client.call("search_nodes", { query: "Lady Byron" });
  expect(text({ content })).toContain("Ada King: Its former name is the query.");
});

describe("a word within other words", () => {
  test.each([
    ["tea", "teaches maths", "drinks green tea"],
    ["reference", "a preference for rye", "the reference of the letter"],
    ["people", "one person", "knows many people"],
  ])("%s does not count in %j beside %j", async (word, other, own) => {
    await using memory = await serveMemory({
      entities: [entity("own", "t", own), ...["a", "b", "c"].map((name) => entity(name, "t", other, "and has an oar"))],
    });
    expect((await memory.search(`${word} oar`)).length).toBe(4);
    const { matches } = (await memory.call("search_nodes", { query: `${word} oar` })) as { matches: { name: string; why: string }[] };
    expect(matches.filter(({ why, name }) => name !== "own" && new RegExp(`(?<!for )${word} in`).test(why))).toEqual([]);
    expect((await memory.search(`${word} zebra`))[0]).toBe("own");
  });
});

test.each([
  ["Zoe\u0308", "Zoë"],
  ["Zoë", "Zoe\u0308"],
  ["STRASSE", "Straße"],
  ["istanbul", "İSTANBUL"],
  ["Lodz", "Łódź"],
])("finds %s as a name and in a text written %s", async (query, written) => {
  await using memory = await serveMemory({ entities: [entity(written, "t"), entity("other", "t", `at ${written} now`)] });
  expect(await memory.search(query)).toEqual([written, "other"]);
});
