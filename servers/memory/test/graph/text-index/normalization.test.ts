// The forms in which texts are compared.
import { describe, expect, test } from "vitest";
import { fold, similarityKey } from "../../../src/graph/text-index/normalization.ts";

describe("folded", () => {
  test.each([
    ["composed and decomposed accents", ["Zoë", "Zoe\u0308", "ZOË", "zoe"]],
    ["a sharp s", ["Straße", "STRASSE", "STRAẞE", "strasse"]],
    ["Turkish letters", ["İSTANBUL", "Istanbul", "ıstanbul", "istanbul"]],
    ["letters that Unicode does not take apart", ["Łódź", "LODZ", "łódź"]],
    ["ligatures and wide letters", ["ﬁle", "ＦＩＬＥ", "file"]],
    ["both forms of sigma", ["ΟΔΟΣ", "οδος", "οδοσ"]],
    ["typographic quotes and dashes", ["it’s – so", "it's - so"]],
    ["blanks that do not break, and soft hyphens", ["New\u00a0York\u00ad", "new york"]],
    ["emoji with and without their variant", ["❤\ufe0f", "❤"]],
    ["Russian io", ["Ёлка", "елка"]],
    ["Hebrew and Arabic vowel signs", ["שָׁלוֹם", "שלום"]],
    ["both forms of Hangul", ["한글", "한글".normalize("NFD")]],
  ])("%s are equal", (_, texts) => expect(new Set(texts.map(fold)).size).toBe(1));

  test.each([
    ["й", "и"],
    ["が", "か"],
    ["한", "하"],
  ])("%s and %s stay two letters", (one, other) => expect(fold(one)).not.toContain(fold(other)));

  test("keeps what is folded already, and what a text contains", () => {
    const wrong: string[] = [];
    for (let code = 0; code < 0x1_10_00; code++) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const character = String.fromCodePoint(code);
      const folded = fold(`a ${character} b`);
      if (fold(folded) !== folded || !folded.includes(fold(character))) wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });
});

describe("the key of a name", () => {
  test.each([
    [["Jean-Luc", "jean luc", "JEAN LUC."]],
    [["Zoë", "Zoe\u0308", "zoe"]],
    [["Straße 12", "STRASSE-12"]],
    [["❤\ufe0f 👩\u200d👧", "❤ 👩👧"]],
  ])("is the same for all of %j", (names) => expect(new Set(names.map(similarityKey)).size).toBe(1));

  test("keeps vowels that are marks, and is never empty", () => {
    expect(similarityKey("कमल")).not.toBe(similarityKey("कमला"));
    expect(similarityKey("?!")).toBe("?!");
  });
});
