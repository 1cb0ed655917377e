// Typing errors: which words are similar, in which scripts, and which of many similar ones count.
import { describe, expect, test } from "vitest";
import { differsByOne, mayBeMisspelled, similarWords } from "../../../../src/graph/search/words/spelling.ts";
import { entity } from "../../../support/graphs.ts";
import { serveMemory } from "../../../support/memory-fixture.ts";
import { openMemory } from "../../../support/open-memory.ts";

/** All words of up to `length` letters of an alphabet. */
function allWords(alphabet: string, length: number): string[] {
  if (length === 0) return [""];
  const shorter = allWords(alphabet, length - 1);
  return [
    ...shorter,
    ...shorter.filter((word) => word.length === length - 1).flatMap((word) => Array.from(alphabet, (letter) => word + letter)),
  ];
}

/** Every word that one typing error makes of a word, written down independently of the code. */
function errorsIn(word: string, alphabet: string): Set<string> {
  const errors = new Set<string>();
  for (let at = 0; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    errors.add(before + after.slice(1));
    if (after.length > 1) errors.add(`${before}${after.charAt(1)}${after.charAt(0)}${after.slice(2)}`);
    for (const letter of alphabet) {
      errors.add(before + letter + after);
      if (word.length >= 6 && after !== "") errors.add(before + letter + after.slice(1));
    }
  }
  errors.delete(word);
  return errors;
}

describe("two words differ by one typing error", () => {
  test.each([
    ["ab", 7],
    ["abc", 4],
  ])("exactly where an error makes one of the other: all words of the letters %s", (alphabet, length) => {
    const wrong: string[] = [];
    const words = allWords(alphabet, length);
    for (const a of words) {
      const errors = errorsIn(a, alphabet);
      for (const b of words) if (differsByOne(a, b) !== errors.has(b)) wrong.push(`${a} ${b}`);
    }
    expect(wrong).toEqual([]);
  });

  test("also where they differ in several accents", () => {
    expect(differsByOne("élève", "eleve")).toBe(true);
    expect(differsByOne("élève", "elevs")).toBe(false);
  });
});

test.each([
  ["four", true],
  ["for", false],
  ["x".repeat(40), true],
  ["x".repeat(41), false],
  ["λέξη", true],
  ["слово", true],
  ["բառեր", true],
  ["სიტყვა", true],
  ["e\u0301cole", true],
  ["12345", false],
  ["word1", false],
  ["1word", false],
  ["日本語の言葉", false],
])("%s may be misspelled: %s", (word, expected) => expect(mayBeMisspelled(word)).toBe(expected));

describe("a word of the memory", () => {
  const places = (word: string): number[] => Array.from(word, (_, at) => at);

  test.each(["harbour", "лодка", "причал", "σκάφος", "θαλασσα", "boats", "anchor"])(
    "is found with each error of one letter: %s",
    async (word) => {
      await using memory = await serveMemory({ entities: [entity("it", "t", `has ${word} here`), entity("other", "t", "nothing else")] });
      const letter = word.charAt(1);
      const queries = new Set(
        places(word).flatMap((at) => {
          const [before, after] = [word.slice(0, at), word.slice(at)];
          const swapped = after.length > 1 ? [`${before}${after.charAt(1)}${after.charAt(0)}${after.slice(2)}`] : [];
          const replaced = word.length >= 6 ? [before + letter + after.slice(1)] : [];
          return [before + after.slice(1), before + letter + after, ...swapped, ...replaced];
        }),
      );
      const missed: string[] = [];
      for (const query of queries) if (query !== word && !(await memory.search(query)).includes("it")) missed.push(query);
      expect(missed).toEqual([]);
    },
  );

  test("is preferred to others that are similar by its frequency: at most eight count", async () => {
    const words = ["labder", "lacder", "ladder", "lafder", "lagder", "lahder", "lakder", "lalder", "lamder"];
    await using memory = await serveMemory({
      entities: [
        ...words.map((word) => entity(`one ${word}`, "t", `the ${word}`)),
        entity("first lazder", "t", "the lazder"),
        entity("second lazder", "t", "a lazder"),
      ],
    });
    const expected = [...words.slice(0, 7).map((word) => `one ${word}`), "first lazder", "second lazder"];
    expect((await memory.search("laxder")).toSorted()).toEqual(expected.toSorted());
  });

  test("is found in another form than the one that is misspelled", async () => {
    await using memory = await serveMemory({ entities: [entity("it", "t", "many harbours")] });
    expect(await memory.search("harbuor")).toEqual(["it"]);
    expect(await memory.search("hrbor")).toEqual([]);
  });
});

describe("similar words", () => {
  /** More texts than are looked at. */
  const MANY = 210;
  const withoutAt = (word: string, at: number): string => word.slice(0, at) + word.slice(at + 1);
  const swappedAt = (word: string, at: number): string => word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2);
  const doubledAt = (word: string, at: number): string => word.slice(0, at) + word.charAt(at) + word.slice(at);

  test("are found in an old text, although many newer ones have a half of the word", async () => {
    await using opened = await openMemory([
      entity("old", "t", "at the harbour", "a lighthouse", "two garçons"),
      entity("new", "t", ...Array.from({ length: MANY }, (_, at) => [`harb ligh gar harvest ${at}`, `bour ouse ons favour ${at}`]).flat()),
    ]);
    const queries = [
      ...Array.from("harbour", (_, at) => doubledAt("harbour", at)),
      ...Array.from("harbou", (_, at) => swappedAt("harbour", at)),
      ...["lighhouse", "lightouse", "lighxhouse", "lightxouse", "garons", "harvour"],
    ];
    const missed = queries.filter((query) => similarWords(opened.store, query).length !== 1);
    expect(missed).toEqual([]);
  });

  test.each(["dozen", "beard", "маяки", "краба", "αγωνα", "θεατη"])(
    "of five letters are found without the middle one: %s",
    async (word) => {
      await using opened = await openMemory([entity("it", "t", word)]);
      expect(similarWords(opened.store, withoutAt(word, 2))).toEqual([word]);
    },
  );

  test("have three letters at least, and are none where no text has a piece of the word", async () => {
    await using opened = await openMemory([entity("it", "t", "an arm", "to ar", "the farm")]);
    for (const query of ["armx", "arxm", "axrm", "xarm"]) expect(similarWords(opened.store, query)).toEqual(["arm"]);
    expect(similarWords(opened.store, "farx")).toEqual([]);
    expect(similarWords(opened.store, "quartz")).toEqual([]);
  });

  test("come with the most frequent first, then in the order of the alphabet, at most eight", async () => {
    const words = ["lazder", "labder", "lahder", "lagder", "lacder", "ladder", "lamder", "lakder", "lafder"];
    await using opened = await openMemory([entity("it", "t", ...words, "a lazder", "lahder, lahder, lahder")]);
    expect(similarWords(opened.store, "laxder")).toEqual(["lahder", "lazder", "labder", "lacder", "ladder", "lafder", "lagder", "lakder"]);
  });

  test.each([
    ["lanern", "lanterns", true],
    ["harbuor", "harbours", true],
    ["plannk", "planks", true],
    ["baots", "boat", false],
    ["boasts", "boat", false],
    ["planeted", "planes", false],
  ])("of %s: %s, where the stems have five letters and differ before the last one: %s", async (word, other, expected) => {
    await using opened = await openMemory([entity("it", "t", `one ${other}`)]);
    expect(similarWords(opened.store, word)).toEqual(expected ? [other] : []);
  });
});
