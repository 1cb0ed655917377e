// Whether a text holds a part of the changes between two others.
import { expect, test } from "vitest";
import { liesBetween, linesOf, parseRegions } from "../../../src/repo/worktree/line-changes.ts";

const regions = parseRegions(
  "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,4 +1,5 @@\n a\n-b\n-c\n+B\n+C\n d\n\n+e\n\\ No newline at end of file\n",
);

test.each([
  ["the old text", "a\nb\nc\nd\n\n"],
  ["the new text", "a\nB\nC\nd\n\ne"],
  ["one change of two", "a\nB\nc\nd\n\n"],
  ["old and new lines side by side", "a\nb\nB\nc\nC\nd\n\n"],
  ["only what was removed", "a\nd\n\n"],
])("accepts %s", (_what, text) => expect(liesBetween(linesOf(text), regions)).toBe(true));

test.each([
  ["another line", "a\nB\nX\nd\n\n"],
  ["a line twice", "a\nB\nB\nd\n\n"],
  ["new lines in another order", "a\nC\nB\nd\n\n"],
  ["without a line that both have", "a\nB\nC\n\ne"],
  ["a line break at the end that the new text lacks", "a\nB\nC\nd\n\ne\n"],
  ["more lines behind", "a\nB\nC\nd\n\neX\n"],
  ["nothing", ""],
])("refuses %s", (_what, text) => expect(liesBetween(linesOf(text), regions)).toBe(false));

test("accepts only the same text between two equal ones, which git does not print", () => {
  expect(liesBetween([], parseRegions(""))).toBe(true);
  expect(liesBetween(["a\n"], parseRegions(""))).toBe(false);
});
