// Stems and roots of words.
import { describe, expect, test } from "vitest";
import { rootsOf, stemOf } from "../../../../src/graph/search/words/inflection.ts";

describe("the stem", () => {
  test.each([
    ["boats", "boat"],
    ["bought", stemOf("buy")],
    ["as", "as"],
    ["ads", "ad"],
    ["école", "école"],
    ["cafés", "cafés"],
    ["v2s", "v2s"],
    ["2boats", "2boats"],
    ["boats2", "boats2"],
  ])("of %s is %s, also the second time", (word, stem) => {
    expect([stemOf(word), stemOf(word)]).toEqual([stem, stem]);
  });

  test("is the same after more words than are kept", () => {
    const before = stemOf("sailing");
    for (let at = 0; at < 20_001; at++) stemOf(`word${at}`);
    expect(stemOf("sailing")).toBe(before);
  });
});

describe("the roots", () => {
  test.each([
    ["happy", ["happ"]],
    ["sail", ["sail"]],
    ["storey", ["stor"]],
    ["of", []],
    ["made", ["mak", "mad"]],
  ])("of %s are pieces of each form of it", (word, roots) => {
    expect(rootsOf(word).toSorted()).toEqual(roots.toSorted());
  });

  test.each(["buy", "go", "child", "happy", "study", "running"])("of %s stand in the word itself", (word) => {
    for (const root of rootsOf(word)) expect(root.length).toBeGreaterThanOrEqual(3);
    expect(word.length < 3 || rootsOf(word).some((root) => word.includes(root))).toBe(true);
  });
});
