// Lines that a regular expression could try in each of their lengths. Each test took from ten seconds to minutes when one did.
import { describe, expect, test } from "vitest";
import { isPlainTranscript } from "../../../src/addons/notes/imports/plain-transcript.ts";
import { parseNote } from "../../../src/addons/notes/note-parser.ts";
import { parseRelation } from "../../../src/addons/notes/wiki-links.ts";

const LENGTH = 400_000;
const many = (text: string): string => text.repeat(LENGTH / text.length);

describe("a long line takes time in proportion to its length", () => {
  test.each([
    ["blanks in a heading", `# ${many(" ")}x`],
    ["blanks in a heading before a line separator", `# ${many(" ")}\u2028x`],
    ["marks in a heading", `# ${many("#")} x`],
    ["blanks in prose", `a${many(" ")}b`],
    ["blank lines in prose", `a\n${many(" \n")}b`],
    ["indented blank lines after an item", `- a\n${many("  \n")}x`],
    ["blanks before a relation", `## Relations\n\n- ${many(" ")}x`],
    ["blanks after a relation", `## Relations\n\n- a [[b]]${many(" ")}x`],
    ["blanks in a context", `- a [[b]] (${many(" ")}x`],
    ["comments after a relation", `- a [[b]] ${many('<!-- "')}x -->`],
  ])("in a note: %s", (_what, text) => {
    expect(parseNote(text).observations.length).toBeLessThan(2);
  });

  test.each([
    ["the name of a model", `gpt${many("a.")}`],
    ["blanks after a speaker", `## You${many(" ")}x`],
    ["blanks before a speaker", `#${many(" ")}x`],
    ["blanks after a time", `[2026-05-01 10:00] ${many(" ")}x`],
    ["tabs before a line separator", `User:${many("\t")}\u2028`],
  ])("in a transcript: %s", (_what, line) => {
    expect(isPlainTranscript(`${line}\n`)).toBe(false);
  });
});

test("refuses frontmatter that is too long", () => {
  expect(() => parseNote(`---\n${many("a: 1\n")}---\n`)).toThrow("line 2: frontmatter is longer than 65,536 characters");
});

test.each([
  ["knows [[Bob]]", { relationType: "knows", target: "Bob", tail: "" }],
  ["knows: [[Bob]]", { relationType: "knows", target: "Bob", tail: "" }],
  ["'works with' [[Bob|B]] (since 2020) ", { relationType: "works with", target: "Bob", tail: "(since 2020)" }],
  ['"a b" [[c]] (d) <!-- "e)" -->', { relationType: "a b", target: "c", tail: "(d)", exactName: "e)" }],
  ['a [[c]] <!-- "e" -->', { relationType: "a", target: "c", tail: "", exactName: "e" }],
  ["works with : [[Bob]]", { relationType: "works with", target: "Bob", tail: "" }],
  ["[[Bob]]", { relationType: "links_to", target: "Bob", tail: "" }],
  ["a [[b]] (c", undefined],
  ["a [[b]] c", undefined],
  ["a [b] [[c]]", undefined],
  ["a [[ ]]", undefined],
])("parses the relation %s as %o", (text, relation) => {
  expect(parseRelation(text, true)).toEqual(relation);
});
