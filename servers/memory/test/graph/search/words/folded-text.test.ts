// In which form a text has a term.
import { describe, expect, test } from "vitest";
import { FoldedText } from "../../../../src/graph/search/words/folded-text.ts";
import { termsOf, type Alternative } from "../../../../src/graph/search/words/query-terms.ts";

const formOf = (text: string, query: string, alternatives: readonly Alternative[] = []) => {
  const [term] = termsOf(query);
  return new FoldedText(text).formOf({ ...term!, alternatives });
};

describe("the form of a term", () => {
  test.each([
    ["two boats and a boat", "boat", { kind: "same", found: "boat" }],
    ["two boats", "boat", { kind: "inflected", found: "boats" }],
    ["a boat", "boats", { kind: "inflected", found: "boat" }],
    ["a steamboat", "boat", { kind: "part", found: "boat" }],
    ["a steamboat and boats", "boat", { kind: "inflected", found: "boats" }],
    ["uses c++ only", "c++", { kind: "same", found: "c++" }],
    ["the happiest", "happen", undefined],
    ["nothing here", "boat", undefined],
  ])("in %j of %s", (text, query, form) => expect(formOf(text, query)).toEqual(form));

  test.each([
    ["two green teas", { kind: "related", found: "green tea" }],
    ["a green tea", { kind: "related", found: "green tea" }],
    ["a green team", undefined],
    ["tea, and green paint", undefined],
    ["evergreen tea", undefined],
    ["black tea, green tea", { kind: "related", found: "green tea" }],
  ])("in %j of a related name", (text, form) => {
    expect(formOf(text, "beverage", [{ kind: "related", text: "green tea" }])).toEqual(form);
  });

  test.each([
    ["two very green teas", true],
    ["green very green tea", true],
    ["very, with green tea", false],
  ])("in %j of a related name of three words is found: %s", (text, isFound) => {
    expect(formOf(text, "beverage", [{ kind: "related", text: "very green tea" }])?.kind).toBe(isFound ? "related" : undefined);
  });

  test("of a long text is looked for in its first 20,000 characters", () => {
    const filler = "so ".repeat(7000);
    expect(formOf(`boats ${filler}`, "boat")).toEqual({ kind: "inflected", found: "boats" });
    expect(formOf(`${filler} boats`, "boat")).toEqual({ kind: "part", found: "boat" });
  });
});

test("finds no words in punctuation", () => expect(new FoldedText("!? …").words).toEqual([]));

describe("the terms of a query", () => {
  const termWords = (query: string) => termsOf(query).map(({ word }) => word);
  test.each([
    ["where is ada's boat", ["ada", "boat"]],
    ["is\u3000ada  boat", ["ada", "boat"]],
    ["what is", ["what", "is"]],
    ["(boat), “harbour”!", ["boat", "harbour"]],
    ["ada's", ["ada's"]],
    ["d'son's boat", ["d'son", "boat"]],
    ["boat boat oar", ["boat", "oar"]],
    ["c++", ["c++"]],
  ])("keeps the telling words of %j", (query, words) => expect(termWords(query)).toEqual(words));

  test.each(["c++", "a-b", "x!", "+x"])("have no forms unless they are plain words: %s", (query) => {
    expect(termsOf(query)).toMatchObject([{ word: query, stem: undefined, roots: [], alternatives: [] }]);
  });
});
