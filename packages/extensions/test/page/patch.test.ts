// Lines and words of a diff, as views draw them.
import { expect, test } from "vitest";
import { hunksOf, linesOf, sidesOf, splitLaterPart } from "../../src/page/diff/patch.ts";
import { splitWords } from "../../src/page/diff/words.ts";

const PATCH = `diff --git a/a.txt b/a.txt
index 1111111..2222222 100644
--- a/a.txt
+++ b/a.txt
@@ -1,4 +1,4 @@
 same
-the old line
-gone
+the new line
 end
+-- more
\\ No newline at end of file
`;

const linesIn = (patch: string) => hunksOf(patch).flatMap(linesOf);

test("removed and added lines in the same place are partners", () => {
  const sides = sidesOf(linesIn(PATCH)).map(({ left, right }) => [left?.text, right?.text]);
  expect(sides).toEqual([
    ["same", "same"],
    ["the old line", "the new line"],
    ["gone", undefined],
    ["end", "end"],
    [undefined, "-- more"],
  ]);
});

test("lines have their numbers, and a missing newline is marked", () => {
  const lines = linesIn(PATCH);
  expect(lines.map(({ old, new: now }) => [old, now])).toEqual([
    [1, 1],
    [2, undefined],
    [3, undefined],
    [undefined, 2],
    [4, 3],
    [undefined, 4],
  ]);
  expect(lines.at(-1)?.isUnended).toBe(true);
});

test("only the words that differ are marked", () => {
  const [, removed] = linesIn(PATCH);
  expect(
    removed &&
      splitWords(removed)
        .filter(({ isChanged }) => isChanged)
        .map(({ text }) => text),
  ).toEqual(["old"]);
});

test.each([40, 75, 90, 100, 110, 120, 130])("a patch that is cut after %i characters has the lines up to there", (length) => {
  const lines = linesIn(PATCH.slice(0, length));
  expect(lines.length).toBeLessThanOrEqual(6);
  for (const [index, line] of lines.entries()) expect(linesIn(PATCH)[index]?.text.startsWith(line.text)).toBe(true);
});

test("a later part of a patch is divided before its first whole hunk", () => {
  const hunk = "@@ -9 +9 @@\n-nine\n+neun\n";
  expect(splitLaterPart(` end\n+more\n${hunk}`)).toEqual({ start: " end\n+more\n", rest: hunk });
  expect(splitLaterPart("+more\n")).toEqual({ start: "+more\n", rest: "" });
  for (const whole of [PATCH, hunk, "diff --git a/x b/x\nold mode 100644\n", `Index: x\n${hunk}`])
    expect(splitLaterPart(whole)).toEqual({ start: "", rest: whole });
});

test("git's notices without hunks have no lines", () => {
  expect(linesIn("diff --git a/x b/x\nold mode 100644\nnew mode 100755\n")).toEqual([]);
  expect(linesIn("diff --git a/x b/x\nindex 1..2 100644\nBinary files a/x and b/x differ\n")).toEqual([]);
});
