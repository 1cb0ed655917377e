// A refused call leaves the file as it was: its message names lines of the file, whatever the edits before would have added or removed.
import { expect, test } from "vitest";
import { LineOrigins } from "../../../../src/disk/edit/refusal/line-origins.ts";
import { applyEdits, type Edit } from "../../../../src/disk/edit/replacements.ts";

const FILE = "head\n\nalpha();\nbeta();\ngamma();\n\nif (a) {\n  end();\n}\nif (b) {\n  end();\n}\n";
const LONGER: Edit = { oldText: "head\n", newText: "head\n1\n2\n3\n" };
const SHORTER: Edit = { oldText: "head\n\nalpha();\n", newText: "" };

const refusalOf = async (...edits: Edit[]): Promise<string> => {
  const { message } = await applyEdits(FILE, edits, true).then(
    () => new Error("applied"),
    (error: Error) => error,
  );
  return message;
};

test.each([
  ["more", LONGER],
  ["fewer", SHORTER],
])("names lines of the file after an edit to %s lines", async (_, first) => {
  expect(await refusalOf(first, { oldText: "  end();\n", newText: "" })).toContain("at lines 8, 11.");
  expect(await refusalOf(first, { oldText: "  end();\n", newText: "", expectedCount: 3 })).toContain("at lines 8, 11.");
  expect(await refusalOf(first, { oldText: "\tend();\n", newText: "" })).toContain("at lines 8, 11.");
  expect(await refusalOf(first, { oldText: "beta();\ngama();\n", newText: "" })).toContain("- line 5, column 4: ");
  expect(await refusalOf(first, { oldText: "  ends();\n", newText: "" })).toMatch(/- line 8, .*\n(?:.*\n)?Nearly as like: line 11\./);
  expect(await refusalOf(first, { oldText: "\tgamma();\n", newText: "\tx();\n", expectedCount: 2 })).toContain("at line 5.");
  expect(await refusalOf(first, { oldText: "gamma();  \n", newText: "gamma();\n" })).toContain("line 5 has the text");
});

test("names the replaced lines for a line that an edit before has written", () => {
  const text = "a\nb\nc\nd\ne\n";
  const origins = new LineOrigins(text);
  origins.follow(text, [
    { start: 2, end: 6, text: "1\n2\n3\n4\n" },
    { start: 8, end: 10, text: "" },
  ]);
  expect([1, 2, 3, 4, 5, 6, 7].map((line) => origins.of(line))).toEqual([1, 2, 3, 4, 4, 4, 6]);
});

test("names lines of the file for edits of a part of it", async () => {
  const edits = [
    { oldText: "b", newText: "b\nb" },
    { oldText: "e", newText: "x" },
    { oldText: "c", newText: "x" },
  ];
  const refusal = applyEdits("a\nb\nc\nc\n", edits, true, { linesBefore: 9 });
  await expect(refusal).rejects.toThrow(/\nNot unique either: edit 3, at lines 12, 13\.$/);
  await expect(applyEdits("a\nb\nc\nc\n", edits.slice(2), true, { linesBefore: 9 })).rejects.toThrow("at lines 12, 13. Add lines");
});
