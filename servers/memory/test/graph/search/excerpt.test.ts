// Which part of a long text a search shows.
import { expect, test } from "vitest";
import { excerptOf } from "../../../src/graph/search/page/excerpt.ts";

const FILLER = "word after word ".repeat(40);

test.each([
  ["all of a short text", "a green tea", "tea", "a green tea"],
  ["the beginning without a match", `${FILLER}end`, "quartz", "word after word word after word word aft…"],
  ["the whole query", `${FILLER}a green tea ${FILLER}`, "green tea", "…word a green tea word after word word af…"],
  ["the end", `${FILLER}a green tea`, "tea", "…after word word after word a green tea"],
  ["the most words", `green ${FILLER}teas that are greenish or green ${FILLER}`, "green tea", "…word teas that are greenish or green wor…"],
  ["words with accents", `${FILLER}Zoë’s café ${FILLER}`, "cafe zoe", "…word Zoë’s café word after word word aft…"],
  ["a text without blanks", `${"日".repeat(100)}本語${"日".repeat(100)}`, "本語", `…本語${"日".repeat(38)}…`],
  ["whole characters", `${"🎉".repeat(50)} tea ${"🎉".repeat(50)}`, "tea", `…tea ${"🎉".repeat(18)}…`],
  [
    "the place behind accents of their own",
    `${"e\u0301 ".repeat(100)}green tea ${FILLER}`,
    "green tea",
    "…e\u0301 e\u0301 green tea word after word word aft…",
  ],
])("shows %s", (_, text, query, excerpt) => {
  expect(excerptOf(text, query, 40)).toBe(excerpt);
});

test("shows the beginning of a text that has one of the words everywhere", () => {
  expect(excerptOf("tea ".repeat(25_000), "tea quartz", 8)).toBe("tea tea …");
});
