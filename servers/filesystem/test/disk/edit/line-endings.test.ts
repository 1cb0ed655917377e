import { expect, test } from "vitest";
import { applyEdits } from "../../../src/disk/edit/replacements.ts";
import { lfView } from "../../../src/disk/edit/lf-view.ts";
import { withLineEnds } from "../../../src/disk/edit/line-endings.ts";

test.each([
  ["x\ny", "a", "\r\n", "x\r\ny"],
  ["x\ny", "a\nb", "\r\n", "x\ny"],
  ["a\nb\nc", "a\r\nb\nc", "\n", "a\r\nb\nc"],
  ["a\nc", "a\r\nb\nc", "\n", "a\r\nc"],
  ["a\nx\nb\nc", "a\nb\r\nc", "\n", "a\nx\nb\r\nc"],
  ["", "a\r\nb\n", "\n", ""],
])("writes %j in place of %j, outside %j", (text, region, outer, expected) => {
  expect(withLineEnds(text, region, outer as "\n")).toBe(expected);
});

test("maps positions of the view back to the file", () => {
  const original = "a\r\nb\nc\r\n\r\nd";
  const view = lfView(original);
  expect(view.text).toBe("a\nb\nc\n\nd");
  for (const [index, place] of [0, 1, 3, 4, 5, 6, 8, 10, 11].entries()) expect(view.at(index)).toBe(place);
});

test("restores the line end of a text whose last one an earlier edit removed", async () => {
  const edits = [
    { oldText: "one\n", newText: "one " },
    { oldText: "one ", newText: "one\ntwo\n" },
  ];
  expect((await applyEdits("one\r\n", edits, false)).text).toBe("one\r\ntwo\r\n");
  expect((await applyEdits("one\n", edits, false)).text).toBe("one\ntwo\n");
});
