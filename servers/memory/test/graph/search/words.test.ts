// What search_nodes finds beyond the words as they are written: their forms, typing errors, synonyms and neighbours; and what it tells of it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KIND_TYPES, SAME_TYPES } from "../../../src/graph/search/words/synonyms.ts";
import { entity, relation } from "../../support/graphs.ts";
import { serveMemory, text, type MemoryFixture } from "../../support/memory-fixture.ts";

interface Match {
  name: string;
  why: string;
}

const whyOf = async (memory: MemoryFixture, query: string, name: string): Promise<string | undefined> =>
  ((await memory.call("search_nodes", { query }))["matches"] as Match[]).find((match) => match.name === name)?.why;

describe("other forms of a word", () => {
  const FORMS: readonly (readonly [query: string, observation: string])[] = [
    ["living", "lives in Lisbon"],
    ["lives", "living abroad"],
    ["residence", "resides by the sea"],
    ["preferences", "prefers tea"],
    ["study", "studied law"],
    ["running", "ran a marathon"],
    ["buy", "bought a boat"],
    ["bought", "buys bread"],
    ["went", "going home"],
    ["children", "has a child"],
    ["happiness", "happy there"],
    ["Allergies", "one allergy"],
  ];
  let memory: MemoryFixture;
  beforeAll(async () => {
    memory = await serveMemory({ entities: FORMS.map(([, observation], at) => entity(`n${at}`, "t", observation)) });
  });
  afterAll(() => memory[Symbol.asyncDispose]());

  test.each(FORMS.map(([query, observation], at) => [query, observation, `n${at}`]))("%s finds %j", async (query, _observation, name) => {
    expect(await memory.search(query)).toContain(name);
  });

  test("rank below the word itself and are named", async () => {
    expect((await memory.search("lives")).slice(0, 2)).toEqual(["n0", "n1"]);
    expect(await whyOf(memory, "living", "n0")).toBe("Has living as lives in an observation.");
  });

  test("are not other words that begin alike", async () => {
    expect(await memory.search("livery")).toEqual([]);
    expect(await memory.search("studio")).not.toContain("n4");
  });
});

describe("typing errors", () => {
  let memory: MemoryFixture;
  beforeAll(async () => {
    memory = await serveMemory({
      entities: [
        entity("Ada Moreau", "person", "lives in Lisbon", "prefers beverages from Ceylon"),
        entity("Ben", "person", "order 48213", "code axle"),
        entity("Школа", "place"),
        entity("Zoë", "artist", "l'école des beaux-arts"),
      ],
    });
  });
  afterAll(() => memory[Symbol.asyncDispose]());

  const places = (word: string): number[] => Array.from(word, (_, at) => at);
  const errorsOf = (word: string): string[] => [
    ...new Set([
      ...places(word).map((at) => word.slice(0, at) + word.slice(at + 1)),
      ...places(word).map((at) => word.slice(0, at) + word.charAt(at) + word.slice(at)),
      ...places(word)
        .slice(1)
        .map((at) => word.slice(0, at - 1) + word.charAt(at) + word.charAt(at - 1) + word.slice(at + 1)),
      ...(word.length < 6 ? [] : places(word).map((at) => `${word.slice(0, at)}w${word.slice(at + 1)}`)),
    ]),
  ];

  test.each(["Lisbon", "Moreau", "beverages", "Ceylon", "lives"])("of one letter in %s find it", async (word) => {
    const missed: string[] = [];
    for (const wrong of errorsOf(word)) if ((await memory.search(wrong))[0] !== "Ada Moreau") missed.push(wrong);
    expect(missed).toEqual([]);
  });

  test("in names, types and other scripts find them, beside words that are right", async () => {
    expect(await memory.search("Moreu Lisbon")).toEqual(["Ada Moreau"]);
    expect(await memory.search("artst")).toEqual(["Zoë"]);
    expect(await memory.search("школла")).toEqual(["Школа"]);
    expect(await memory.search("ecole")).toEqual(["Zoë"]);
    expect(await whyOf(memory, "Lisbno", "Ada Moreau")).toBe("Has lisbon, spelled like lisbno, in an observation.");
  });

  test.each(["48214", "acke", "like", "Bex", "axl3", "Lzsbxn"])(
    "are not looked for in numbers, short words and words that differ more: %s",
    async (query) => {
      expect(await memory.search(query)).toEqual([]);
    },
  );

  test("are not looked for where the word itself is found", async () => {
    await using other = await serveMemory({ entities: [entity("a", "t", "a cart"), entity("b", "t", "a card")] });
    expect(await other.search("cart")).toEqual(["a"]);
  });
});

describe("synonyms", () => {
  test.each(SAME_TYPES)("follow %s in both directions", async (type) => {
    await using memory = await serveMemory({
      entities: [entity("Big Apple", "name"), entity("New York", "city"), entity("Ada", "person", "moved to New York")],
      relations: [relation("Big Apple", type, "New York")],
    });
    expect((await memory.search("Big Apple")).toSorted()).toEqual(["Ada", "Big Apple", "New York"]);
    expect((await memory.search("New York")).toSorted()).toEqual(["Ada", "Big Apple", "New York"]);
  });

  test.each([...KIND_TYPES, "Is a", "is-a"])("follow %s from the kind to its members only", async (type) => {
    await using memory = await serveMemory({
      entities: [entity("beverage", "kind"), entity("tea", "drink"), entity("Ada", "person", "likes tea"), entity("Bo", "person")],
      relations: [relation("tea", type, "beverage")],
    });
    expect((await memory.search("what beverages does Ada like")).slice(0, 1)).toEqual(["Ada"]);
    expect(await whyOf(memory, "beverages", "Ada")).toBe("Has tea, by its relation to beverages, in an observation.");
    expect(await memory.search("tea")).not.toContain("beverage");
  });

  test("go over two relations, and no further", async () => {
    const chain = ["jasmine tea", "green tea", "tea", "beverage"];
    await using memory = await serveMemory({
      entities: [...chain, "none"].map((name) => entity(name, "t")),
      relations: chain.slice(1).map((name, at) => relation(chain[at] ?? "", "is_a", name)),
    });
    expect((await memory.search("beverages")).toSorted()).toEqual(["beverage", "green tea", "jasmine tea", "tea"].toSorted());
    await memory.call("create_entities", { entities: [entity("sencha", "t")] });
    await memory.call("create_relations", { relations: [relation("sencha", "is_a", "green tea")] });
    expect(await memory.search("beverages")).not.toContain("sencha");
  });

  test("are not followed by other types", async () => {
    await using memory = await serveMemory({
      entities: [entity("beverage", "kind"), entity("tea", "drink")],
      relations: [relation("tea", "costs_more_than", "beverage")],
    });
    expect(await memory.search("beverage")).toEqual(["beverage"]);
  });
});

describe("questions", () => {
  let memory: MemoryFixture;
  beforeAll(async () => {
    memory = await serveMemory({
      entities: [
        entity("Ada Moreau", "person", "plays the cello"),
        entity("Bea", "person", "lives in Porto"),
        entity("Carl", "person", "lives in Ghent"),
        entity("Mill Works", "company", "has its office in Leiden"),
        entity("the river", "place", "does flood where it is low"),
      ],
      relations: [
        relation("Bea", "sister_of", "Ada Moreau"),
        relation("Ada Moreau", "works_at", "Mill Works"),
        relation("Carl", "knows", "Bea"),
      ],
    });
  });
  afterAll(() => memory[Symbol.asyncDispose]());

  test("find by their telling words", async () => {
    expect((await memory.search("Where does Bea live?"))[0]).toBe("Bea");
    expect(await memory.search("what does it do")).toEqual(["the river"]);
    expect(await memory.search("where does the cello")).toEqual(["Ada Moreau"]);
  });

  test("find over one relation, and tell over which", async () => {
    expect((await memory.search("Where does the sister of Ada live?"))[0]).toBe("Bea");
    expect((await memory.search("where is the office of the company Ada works at"))[0]).toBe("Mill Works");
    expect(await whyOf(memory, "Where does the sister of Ada live?", "Bea")).toBe(
      "Has 3 of 3 words with its relation: Bea → sister_of → Ada Moreau.",
    );
  });

  test("find over two relations that the question names", async () => {
    expect((await memory.search("Who knows the sister of Ada?"))[0]).toBe("Carl");
  });
});

describe("entities that match equally well", () => {
  test("come with the one that changed last first", async () => {
    await using memory = await serveMemory({ entities: ["a", "b", "c"].map((name) => entity(name, "t", "tea with milk")) });
    await memory.call("add_observations", { observations: [{ entityName: "a", contents: ["nothing more"] }] });
    expect(await memory.search("milk tea")).toEqual(["a", "c", "b"]);
  });

  test("come with the one that has more relations first", async () => {
    await using memory = await serveMemory({
      entities: ["a", "b", "c"].map((name) => entity(name, "t", "tea with milk")),
      relations: [relation("b", "r", "x"), relation("b", "r", "y"), relation("a", "r", "z")],
    });
    expect(await memory.search("milk tea")).toEqual(["b", "a", "c"]);
  });
});

test("the text tells how entities without the whole query were found, after the data", async () => {
  await using memory = await serveMemory({ entities: [entity("Ada", "person", "lives in Lisbon"), entity("living", "t")] });
  const reply = await memory.client.call("search_nodes", { query: "living", detail: "names" });
  expect(reply.content[1]).toEqual({ type: "text", text: "Ada: Has living as lives in an observation." });
  expect(text(reply)).not.toContain("living: ");
});
