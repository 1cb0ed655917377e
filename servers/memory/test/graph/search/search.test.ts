// Results of search_nodes and their order.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Entity } from "../../../src/graph/model.ts";
import { entity, relation } from "../../support/graphs.ts";
import { serveMemory, type MemoryFixture } from "../../support/memory-fixture.ts";
import { perStore } from "../../support/store-under-test.ts";

describe("the order", () => {
  test("is exact name, names, types, observations, all words in any place, some words; each newest first", async () => {
    await using memory = await serveMemory({
      entities: [
        entity("words apart", "note", "the coast is far", "a harbour nearby"),
        entity("one word", "note", "a harbour"),
        entity("said", "note", "old harbour coast road"),
        entity("typed", "harbour coast"),
        entity("harbour coast house", "place"),
        entity("said later", "note", "the harbour coast again"),
        entity("the harbour coast", "place"),
        entity("Harbour Coast", "place"),
        entity("nothing of it", "note", "hills"),
      ],
    });
    const { matches, total, truncated } = await memory.call("search_nodes", { query: "harbour coast" });
    expect(matches).toEqual([
      { name: "Harbour Coast", score: 1, why: "Its name is the query." },
      { name: "the harbour coast", score: 0.9, why: "Its name contains the query." },
      { name: "harbour coast house", score: 0.9, why: "Its name contains the query." },
      { name: "typed", score: 0.8, why: "Its type contains the query." },
      { name: "said later", score: 0.7, why: "An observation contains the query.", observation: "the harbour coast again" },
      { name: "said", score: 0.7, why: "An observation contains the query.", observation: "old harbour coast road" },
      {
        name: "words apart",
        score: 0.6,
        why: "Has all 2 words: harbour in an observation, coast in an observation.",
        observation: "the coast is far",
      },
      { name: "one word", score: 0.25, why: "Has 1 of 2 words: harbour in an observation.", observation: "a harbour" },
    ]);
    expect([total, truncated]).toEqual([8, false]);
  });

  test("ranks words in a name above words in an observation", async () => {
    await using memory = await serveMemory({
      entities: [entity("alpha road", "t", "coffee"), entity("x", "t", "alpha", "coffee"), entity("coffee alpine alpha bar", "t")],
    });
    expect(await memory.search("coffee alpha")).toEqual(["coffee alpine alpha bar", "alpha road", "x"]);
  });

  test("lists an entity once, at the best place where it matches", async () => {
    await using memory = await serveMemory({
      entities: [
        entity("tea", "tea", "tea"),
        entity("tea room", "tea", "green tea"),
        entity("cup", "tea set", "for tea"),
        entity("Ana", "t", "tea", "more tea"),
        entity("tea shop", "t", "sells tea"),
      ],
    });
    const names = ["tea", "tea shop", "tea room", "cup", "Ana"];
    expect(await memory.search("tea")).toEqual(names);
    const found: unknown[] = [];
    for (let cursor: unknown; ;) {
      const page = await memory.call("search_nodes", { query: "tea", limit: 1, ...(cursor !== undefined && { cursor }) });
      found.push(...(page["matches"] as unknown[]));
      cursor = page["nextCursor"];
      if (cursor === undefined) break;
    }
    expect(found).toEqual([
      { name: "tea", score: 1, why: "Its name is the query." },
      { name: "tea shop", score: 0.9, why: "Its name contains the query." },
      { name: "tea room", score: 0.9, why: "Its name contains the query." },
      { name: "cup", score: 0.8, why: "Its type contains the query." },
      { name: "Ana", score: 0.7, why: "An observation contains the query.", observation: "more tea" },
    ]);
  });

  test("has names that are the query but for case newest first, page after page", async () => {
    const names = ["tea", "Tea", "TEA"];
    await using memory = await serveMemory({ entities: [...names.map((name) => entity(name, "t", "tea")), entity("tea bag", "t")] });
    const found: unknown[] = [];
    for (let cursor: unknown; ;) {
      const page = await memory.call("search_nodes", { query: "tea", limit: 1, ...(cursor !== undefined && { cursor }) });
      found.push(...(page["matches"] as unknown[]));
      cursor = page["nextCursor"];
      if (cursor === undefined) break;
    }
    const exact = names.toReversed().map((name) => ({ name, score: 1, why: "Its name is the query." }));
    expect(found).toStrictEqual([...exact, { name: "tea bag", score: 0.9, why: "Its name contains the query." }]);
  });

  test("lists an entity once, at its newest matching observation", async () => {
    await using memory = await serveMemory({ entities: [entity("a", "t", "tea"), entity("b", "t", "tea"), entity("c", "t")] });
    await memory.call("add_observations", { observations: [{ entityName: "a", contents: ["more tea"] }] });
    expect(await memory.search("tea")).toEqual(["a", "b"]);
  });
});

describe.each([
  ["just written", 0],
  ["in the indexes", 70],
])("an entity with a deleted match, %s", (_, later) => {
  test.each([
    ["deleted", "delete_observations", { deletions: [{ entityName: "a", observations: ["green tea"] }] }],
    ["superseded", "add_observations", { observations: [{ entityName: "a", contents: ["milk"], supersedes: ["green tea"] }] }],
  ])("is found by its older match after the newer one was %s", async (_what, tool, args) => {
    await using memory = await serveMemory({ entities: [entity("a", "t", "black tea"), entity("b", "t", "white tea")] });
    await memory.call("add_observations", { observations: [{ entityName: "a", contents: ["green tea"] }] });
    if (later > 0)
      await memory.call("create_entities", { entities: Array.from({ length: later }, (_none, at) => entity(`n${at}`, "u", `${at}`)) });
    await memory.call(tool, args);
    expect(await memory.search("tea")).toEqual(["b", "a"]);
    expect((await memory.call("search_nodes", { query: "tea" }))["matches"]).toContainEqual({
      name: "a",
      score: 0.7,
      why: "An observation contains the query.",
      observation: "black tea",
    });
  });
});

/** Texts, and queries that must find exactly the texts that contain them. */
const TEXTS = [
  "Straße nach Köln",
  "日本語の本を東京で買った",
  "서울에서 만났다",
  "ภาษาไทย",
  "100% sure_thing",
  'say "hello"',
  "C++ and C#",
  "a\\b",
  "e-mail: x@example.org",
  "İstanbul",
  "ΟΔΟΣ",
  "emoji 🦊 fox",
  "it's (fine) [really]",
];
const QUERIES = [
  "ß",
  "köln",
  "東",
  "東京",
  "日本語",
  "買った",
  "서울",
  "울",
  "ไท",
  "%",
  "0%",
  "_",
  "_t",
  '"',
  '"hello',
  "c++",
  "#",
  "\\",
  "@e",
  "i̇s",
  "οδος",
  "🦊",
  "(",
  "[re",
  "'s",
  "a",
  "zz",
  "  ",
  "*",
  "OR",
  "NEAR",
  "-",
  ":",
];

/** After these, the earlier texts are in the indexes. */
const LATER = Array.from({ length: 70 }, (_, at) => entity(`${7700 + at}`, "7", `${at}`));

describe.each([
  ["just written", []],
  ["in the indexes", LATER],
])("%s", (_, later) => {
  let memory: MemoryFixture;
  beforeAll(async () => {
    memory = await serveMemory({ entities: [...TEXTS.map((text, at) => entity(`n${at}`, "t", text)), ...later] });
  });
  afterAll(() => memory[Symbol.asyncDispose]());

  test.each(QUERIES)("%s finds everything that the reference server finds, and punctuation finds only texts with it", async (query) => {
    const wanted = TEXTS.flatMap((text, at) =>
      text.toLowerCase().includes(query.toLowerCase()) || `n${at}t`.includes(query) ? [`n${at}`] : [],
    );
    expect((await memory.search(query)).sort()).toEqual(wanted.sort());
  });
});

test("ranks an old entity with all words above thousands with one word", async () => {
  const many = (word: string) => Array.from({ length: 1500 }, (_, at) => entity(`${word} ${at}`, "t", `likes ${word}`));
  await using memory = await serveMemory({
    entities: [entity("both", "t", "likes coffee", "likes juniper"), ...many("coffee"), ...many("juniper")],
  });
  expect((await memory.search("coffee juniper"))[0]).toBe("both");
});

test("searches for a short word when the longer ones find nothing", async () => {
  await using memory = await serveMemory({ entities: [entity("lab", "t", "works on AI"), entity("other", "t")] });
  expect(await memory.search("AI strategy")).toEqual(["lab"]);
});

test("matches everything with the empty query", async () => {
  await using memory = await serveMemory({ entities: [entity("a", "t"), entity("b", "t")] });
  expect(await memory.search("")).toEqual(["b", "a"]);
});

test.each(["  tea ", "tea\n", "\u3000tea"])(
  "a word with blanks around it, as in %j, finds the word too, and texts with the blanks first",
  async (query) => {
    await using memory = await serveMemory({
      entities: [entity("a", "t", `no${query}no`), entity("tea", "t"), entity("b", "tea"), entity("c", "t")],
    });
    expect(await memory.search(query)).toEqual(["a", "tea", "b"]);
  },
);

test("words of a question are found without its punctuation", async () => {
  await using memory = await serveMemory({ entities: [entity("Anna", "person", "works at the mill"), entity("Ben", "person", "sleeps")] });
  expect(await memory.search("where does Anna work?")).toEqual(["Anna"]);
});

test("finds a changed text by its new words only", async () => {
  await using memory = await serveMemory({ entities: [entity("Anna", "person", "lives in Lisbon")], allowPurge: true });
  await memory.call("add_observations", {
    observations: [{ entityName: "Anna", contents: ["lives in Porto"], supersedes: ["lives in Lisbon"] }],
  });
  await memory.call("update_entities", { updates: [{ name: "Anna", newName: "Hanna", entityType: "sailor" }] });
  expect([
    await memory.search("lisbon"),
    await memory.search("porto"),
    await memory.search("sailor"),
    await memory.search("person"),
  ]).toEqual([[], ["Hanna"], ["Hanna"], []]);
  await memory.call("delete_entities", { entityNames: ["Hanna"] });
  expect(await memory.search("hanna")).toEqual([]);
});

describe("narrowed", () => {
  test("by types and by time, and extended by depth", async () => {
    await using memory = await serveMemory({
      entities: [entity("tea shop", "place"), entity("tea", "drink"), entity("Ben", "person")],
      relations: [relation("Ben", "drinks", "tea")],
    });
    expect(await memory.search("tea", { entityTypes: ["Place"] })).toEqual(["tea shop"]);
    expect(await memory.search("tea", { since: "2000-01-01" })).toEqual(["tea", "tea shop"]);
    expect(await memory.search("tea", { since: "2999-01-01" })).toEqual([]);
    expect(await memory.search("tea", { depth: 1 })).toEqual(["tea", "tea shop", "Ben"]);
    expect(await memory.failure("search_nodes", { query: "tea", since: "yesterday" })).toContain("a time such as 2026-05-31 or");
  });

  test("shows relations from and to a hit, as the reference server does", async () => {
    await using memory = await serveMemory({
      entities: [entity("a", "t"), entity("b", "t"), entity("c", "t")],
      relations: [relation("b", "r", "a"), relation("a", "r", "c"), relation("b", "r", "c")],
    });
    const { relations } = await memory.call("search_nodes", { query: "a" });
    expect(relations).toEqual([relation("b", "r", "a"), relation("a", "r", "c")]);
  });
});

describe("pages", () => {
  test.each(perStore([3, 1, 7]))("of %i have every hit once, in a fixed order", async (limit) => {
    const entities = Array.from({ length: 20 }, (_, at): Entity =>
      at % 3 === 0 ? entity(`tea ${at}`, "t") : at % 3 === 1 ? entity(`b${at}`, "tea room") : entity(`c${at}`, "t", "tea", "tea again"),
    );
    await using memory = await serveMemory({ entities: [...entities, entity("cups", "t", "for tea and milk"), entity("milk", "t")] });
    const all = await memory.search("tea milk", { limit: 1000 });
    const found: string[] = [];
    for (let cursor: unknown; ;) {
      const page = await memory.call("search_nodes", { query: "tea milk", limit, ...(cursor !== undefined && { cursor }) });
      found.push(...(page["entities"] as Entity[]).map(({ name }) => name));
      cursor = page["nextCursor"];
      expect(page["truncated"]).toBe(cursor !== undefined);
      if (cursor === undefined) break;
    }
    expect(found).toEqual(all);
    expect(new Set(found).size).toBe(22);
  });

  test("stay in place when entities are created in the meantime", async () => {
    await using memory = await serveMemory({ entities: ["a", "b", "c", "d"].map((name) => entity(`tea ${name}`, "t")) });
    const first = await memory.call("search_nodes", { query: "tea", limit: 2 });
    await memory.call("create_entities", { entities: [entity("tea e", "t")] });
    const { entities } = await memory.call("search_nodes", { query: "tea", limit: 2, cursor: first["nextCursor"] });
    expect((entities as Entity[]).map(({ name }) => name)).toEqual(["tea b", "tea a"]);
  });

  test.each([
    ["of another query", { query: "milk" }],
    ["of other types", { query: "tea", entityTypes: ["t"] }],
    ["that was changed", { query: "tea", change: true }],
  ])(
    "a cursor %s is refused",
    async (_what, { query, entityTypes, change }: { query: string; entityTypes?: string[]; change?: boolean }) => {
      await using memory = await serveMemory({ entities: ["a", "b"].map((name) => entity(`tea ${name}`, "t")) });
      const { nextCursor } = await memory.call("search_nodes", { query: "tea", limit: 1 });
      const cursor = change === true ? `${String(nextCursor).slice(0, -2)}AA` : nextCursor;
      expect(await memory.failure("search_nodes", { query, limit: 1, cursor, ...(entityTypes && { entityTypes }) })).toContain(
        "Invalid cursor: it does not belong to this call.",
      );
    },
  );
});

test("finds text after a NUL, even one character", async () => {
  await using memory = await serveMemory({ entities: [entity("a\u0000bq", "t"), entity("n", "u\u0000vw"), entity("o", "t", "x\u0000yz")] });
  expect([await memory.search("bq"), await memory.search("vw"), await memory.search("Z"), await memory.search("\u0000")]).toEqual([
    ["a\u0000bq"],
    ["n"],
    ["o"],
    ["a\u0000bq", "n", "o"],
  ]);
});

test("an empty query lists everything, the newest first, also by time and type", async () => {
  await using memory = await serveMemory({ entities: [entity("Ada", "person", "likes tea"), entity("Mill", "place")] });
  expect(await memory.search("")).toEqual(["Mill", "Ada"]);
  expect(await memory.search("", { since: "1d", entityTypes: ["person"] })).toEqual(["Ada"]);
});
