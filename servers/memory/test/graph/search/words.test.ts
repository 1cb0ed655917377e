// What search_nodes finds beyond the words as they are written: their forms, typing errors, synonyms and neighbours; and what it tells of it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ENGLISH } from "../../../src/graph/search/languages/english.ts";
import { entity, relation } from "../../support/graphs.ts";
import { serveMemory, type MemoryFixture } from "../../support/memory-fixture.ts";
import { perStore } from "../../support/store-under-test.ts";

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

  test("rank below the word itself, with their names", async () => {
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

  test.each(perStore(["Lisbon", "Moreau", "beverages", "Ceylon", "lives"]))("of one letter in %s find it", async (word) => {
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

  test.each(["48214", "acke", "lire", "Bex", "axl3", "Lzsbxn"])(
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
  const types = [...ENGLISH.sameTypes, ...ENGLISH.kindTypes, "Is a", "is-a", "Also Known As", "costs_more_than"];
  /** A word for each type: `moonaa`, `moonab` … */
  const wordFor = (stem: string, type: string): string => {
    const at = types.indexOf(type);
    return stem + String.fromCodePoint(0x61 + Math.floor(at / 26), 0x61 + (at % 26));
  };
  let memory: MemoryFixture;
  beforeAll(async () => {
    memory = await serveMemory({
      entities: types.flatMap((type) => [
        entity(wordFor("moon", type), "t"),
        entity(wordFor("pair", type), "t"),
        entity(`of ${wordFor("moon", type)}`, "note", `likes ${wordFor("moon", type)}`),
        entity(`of ${wordFor("pair", type)}`, "note", `likes ${wordFor("pair", type)}`),
      ]),
      relations: types.map((type) => relation(wordFor("moon", type), type, wordFor("pair", type))),
    });
  });
  afterAll(() => memory[Symbol.asyncDispose]());

  /** Whether a search for one end of a relation of this type finds what tells of the other end. */
  async function follows(type: string): Promise<{ fromTarget: boolean; fromSource: boolean }> {
    const [source, target] = [wordFor("moon", type), wordFor("pair", type)];
    return {
      fromTarget: (await memory.search(`likes ${target}`)).includes(`of ${source}`) && (await memory.search(target)).includes(source),
      fromSource: (await memory.search(source)).includes(target),
    };
  }

  test("follow relations of equality in both directions", async () => {
    for (const type of perStore(["Also Known As", ...ENGLISH.sameTypes], 2))
      expect({ type, ...(await follows(type)) }).toEqual({ type, fromTarget: true, fromSource: true });
  });

  test("follow relations of kinds from the kind to its members only", async () => {
    for (const type of perStore(["Is a", "is-a", ...ENGLISH.kindTypes], 3))
      expect({ type, ...(await follows(type)) }).toEqual({ type, fromTarget: true, fromSource: false });
  });

  test("are not followed by other types", async () => {
    expect((await memory.search(wordFor("pair", "costs_more_than"))).toSorted()).toEqual(
      [wordFor("pair", "costs_more_than"), `of ${wordFor("pair", "costs_more_than")}`].toSorted(),
    );
  });

  test("answer a question about a kind, with their names", async () => {
    await using drinks = await serveMemory({
      entities: [entity("beverage", "kind"), entity("tea", "drink"), entity("Ada", "person", "likes tea"), entity("Bo", "person")],
      relations: [relation("tea", "is_a", "beverage")],
    });
    expect((await drinks.search("what beverages does Ada like"))[0]).toBe("Ada");
    expect(await whyOf(drinks, "beverages", "Ada")).toBe("Has tea, by its relation to beverages, in an observation.");
  });

  test("go over two relations, and no further", async () => {
    const chain = ["jasmine tea", "green tea", "tea", "beverage"];
    await using teas = await serveMemory({
      entities: [...chain, "none"].map((name) => entity(name, "t")),
      relations: chain.slice(1).map((name, at) => relation(chain[at] ?? "", "is_a", name)),
    });
    expect((await teas.search("beverages")).toSorted()).toEqual(["beverage", "green tea", "jasmine tea", "tea"].toSorted());
    await teas.call("create_entities", { entities: [entity("sencha", "t")] });
    await teas.call("create_relations", { relations: [relation("sencha", "is_a", "green tea")] });
    expect(await teas.search("beverages")).not.toContain("sencha");
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
      "Has all 3 words: live as lives in an observation, sister and ada by its relation Bea → sister_of → Ada Moreau.",
    );
  });

  test("find by an ended relation behind those that hold, with its end", async () => {
    await using firm = await serveMemory({
      entities: [entity("Bo", "person", "likes tea"), entity("Ann", "person", "plays chess"), entity("Acme", "company")],
      relations: [relation("Bo", "works_at", "Acme"), { ...relation("Ann", "works_at", "Acme"), validFrom: "2021", validTo: "2024-10" }],
    });
    expect(await firm.search("Who works at Acme?")).toEqual(["Bo", "Ann", "Acme"]);
    expect(await whyOf(firm, "Who works at Acme?", "Ann")).toContain("by its relation Ann → works_at → Acme (2021 to 2024-10).");
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

describe("a family", () => {
  let memory: MemoryFixture;
  beforeAll(async () => {
    memory = await serveMemory({
      entities: [
        entity("Mara", "person", "lives in Leipzig"),
        entity("Jan", "person", "brother of Mara", "lives in Braga", "allergic to nuts"),
        entity("Van", "vehicle", "the family's van", "inspection in May"),
        entity("Miso", "pet", "the family's cat"),
      ],
      relations: [relation("Mara", "is sister of", "Jan"), relation("Mara", "owns", "Van"), relation("Mara", "owns", "Miso")],
    });
  });
  afterAll(() => memory[Symbol.asyncDispose]());

  test("leaves out what has a word for the kind only, where another has all words", async () => {
    expect(await memory.search("Where does my brother live?")).toEqual(["Jan", "Mara"]);
    expect((await memory.search("Where is the brother?"))[0]).toBe("Jan");
    expect((await memory.search("What may my brother not eat?"))[0]).toBe("Jan");
    expect((await memory.search("due in May"))[0]).toBe("Van");
  });

  test("names a reason once, and the words that no hit has", async () => {
    const notesOf = async (query: string): Promise<string[]> => {
      const { content } = await memory.client.call("search_nodes", { query, detail: "names" });
      return content.slice(1).flatMap((block) => (block.type === "text" ? block.text.split("\n") : []));
    };
    expect(await notesOf("uncle")).toEqual(["No fact has: uncle.", "Miso, Van: Has family for uncle in an observation."]);
    expect(await notesOf("my van in Oslo")).toEqual(["No fact has: oslo."]);
    expect((await notesOf("vehicle pet"))[0]).toBe("No hit has all of the words.");
    expect(await notesOf("Braga Leipzig")).not.toContain("No hit has all of the words.");
  });
});

test("explains after the data what it does not show: words that are spelled alike, and relations", async () => {
  await using memory = await serveMemory({
    entities: [entity("Ada", "person", "lives in Lisbon"), entity("Bea", "person", "sails")],
    relations: [relation("Bea", "sister_of", "Ada")],
  });
  const noteOf = async (query: string): Promise<unknown> =>
    (await memory.client.call("search_nodes", { query, detail: "names" })).content[1];
  expect(await noteOf("living")).toBeUndefined();
  expect(await noteOf("Lisbno")).toEqual({ type: "text", text: "Ada: Has lisbon, spelled like lisbno, in an observation." });
  expect(await noteOf("does the sister of Ada sail")).toMatchObject({ text: expect.stringContaining("Bea → sister_of → Ada.") });
});
