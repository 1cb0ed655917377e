// The lines of a .gitignore that become rules.
import ignore from "ignore";
import { expect, test } from "vitest";
import { safeLines } from "../../../../src/disk/search/gitignore/rule-lines.ts";

test("skips blank lines, comments and a byte order mark", () => {
  expect(safeLines("\ufeffa\r\n\n  \n# b\n\\#c\nd#\n!e\n\ufefff")).toEqual(["a", "\\#c", "d#", "!e", "\ufefff"]);
});

test("drops a line beyond the limits", () => {
  expect(safeLines(`${"x".repeat(500)}\n${"x".repeat(501)}`)).toEqual(["x".repeat(500)]);
  expect(safeLines("*a*b*c*\n*a*b*c*d*\n**/a/**/b/**/c/**")).toEqual(["*a*b*c*", "**/a/**/b/**/c/**"]);
  expect(safeLines("a\n".repeat(2001))).toHaveLength(2000);
});

test.each(["[z-a]", "[", "[]", "\\", "[[:alpha:]", "a[\\]"])("keeps all other rules beside the malformed line %s", (line) => {
  const rules = ignore().add(safeLines(`a\n${line}\nb`));
  expect(["a", "b", "x"].map((name) => rules.ignores(name))).toEqual([true, true, false]);
});
