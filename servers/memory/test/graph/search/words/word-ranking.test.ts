// The order of entities by the words of a query, and what explains it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { entity } from "../../../support/graphs.ts";
import { serveMemory, type MemoryFixture } from "../../../support/memory-fixture.ts";

interface Match {
  readonly name: string;
  readonly why: string;
}

describe("the explanation", () => {
  let memory: MemoryFixture;
  beforeAll(async () => {
    memory = await serveMemory({
      entities: [
        entity("Kittiwake", "sloop", "has oak planks", "carries canvas and rope and tar"),
        entity("Dinghies", "tender", "made of spruce"),
      ],
    });
  });
  afterAll(() => memory[Symbol.asyncDispose]());

  test.each([
    ["planking", "Kittiwake", "Has planking as planks in an observation."],
    ["dinghy", "Dinghies", "Has dinghy as dinghies in its name."],
    ["sloops", "Kittiwake", "Has sloops as sloop in its type."],
    ["kittiwakes oak", "Kittiwake", "Has all 2 words: kittiwakes as kittiwake in its name, oak in an observation."],
    ["oak spruce sloop", "Kittiwake", "Has 2 of 3 words: oak in an observation, sloop in its type."],
    ["oak tar rope", "Kittiwake", "Has all 3 words: oak in an observation, tar in an observation, rope in an observation."],
    [
      "oak tar rope canvas",
      "Kittiwake",
      "Has all 4 words: oak in an observation, tar in an observation, rope in an observation, and 1 more.",
    ],
    ["sprace", "Dinghies", "Has spruce, spelled like sprace, in an observation."],
  ])("of %j names the words of %s and where they are", async (query, name, why) => {
    const matches = (await memory.call("search_nodes", { query }))["matches"] as Match[];
    expect(matches.find((match) => match.name === name)?.why).toBe(why);
  });
});

describe("the order", () => {
  test("prefers a rare word to a common one", async () => {
    await using memory = await serveMemory({
      entities: [
        entity("rare", "t", "boat by the lighthouse"),
        ...Array.from({ length: 8 }, (_, at) => entity(`common ${at}`, "t", "boat in the marina")),
      ],
    });
    expect((await memory.search("lighthouse marina boat"))[0]).toBe("rare");
  });

  test("prefers a word in a name to one in a type, and both to one in an observation", async () => {
    await using memory = await serveMemory({
      entities: [
        entity("sailing yacht", "t", "red"),
        entity("b", "large yacht", "red"),
        entity("c", "t", "a red yacht"),
        entity("d", "t", "blue"),
      ],
    });
    expect(await memory.search("red yachts")).toEqual(["sailing yacht", "b", "c"]);
  });

  test("prefers the word itself to another form, and that to a part of a word", async () => {
    await using memory = await serveMemory({
      entities: [entity("same", "t", "one red oar"), entity("form", "t", "the red oars"), entity("part", "t", "red roaring")],
    });
    expect(await memory.search("oar red")).toEqual(["same", "form", "part"]);
  });

  test("takes the best form among the observations of an entity", async () => {
    await using memory = await serveMemory({ entities: [entity("a", "t", "two red oars", "one red oar", "three red oars")] });
    const [match] = (await memory.call("search_nodes", { query: "oar red" }))["matches"] as Match[];
    expect(match?.why).toBe("Has all 2 words: oar in an observation, red in an observation.");
  });
});

describe("in a large memory", () => {
  /** More than 150 texts have a word before it counts as common. */
  const MANY = 400;
  let memory: MemoryFixture;
  beforeAll(async () => {
    memory = await serveMemory({
      entities: [
        entity("both, old", "t", "harbour", "lantern"),
        ...Array.from({ length: MANY }, (_, at) => entity(`harbour ${at}`, "t", `harbour number ${at}`)),
        ...Array.from({ length: MANY }, (_, at) => entity(`lamp ${at}`, "t", `lantern number ${at}`)),
        entity("rare", "t", "a zephyr"),
      ],
    });
  });
  afterAll(() => memory[Symbol.asyncDispose]());

  test("finds an entity with two common words, however old", async () => {
    expect((await memory.search("lantern of harbours"))[0]).toBe("both, old");
  });

  test("ranks a rare word above a common one", async () => {
    expect((await memory.search("zephyr harbours"))[0]).toBe("rare");
  });

  test("finds the newest entities by common words alone", async () => {
    const found = await memory.search("harbours of anything");
    expect(found.length).toBeGreaterThan(0);
    expect(found.every((name) => name.startsWith("harbour ") || name === "both, old")).toBe(true);
  });
});
