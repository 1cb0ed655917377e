// Long lines, cut to the part around a hit.
import { expect, test } from "vitest";
import { clipLine, joinLines } from "../../../../src/disk/search/contents/line-clip.ts";

const digits = (length: number): string => Array.from({ length }, (_, at) => at % 10).join("");

test.each([
  ["a line of 300 characters", digits(300), 299, digits(300)],
  ["a hit near the start", digits(1000), 100, `${digits(300)}…`],
  ["a hit in the middle", digits(1000), 500, `…${digits(1000).slice(400, 700)}…`],
  ["a hit at the end", digits(1000), 999, `…${digits(1000).slice(700)}`],
  ["a hit just behind the lead", digits(301), 101, `…${digits(301).slice(1)}`],
  ["half a surrogate pair at the start", `${digits(100)}😀${digits(400)}`, 201, `…${digits(299)}…`],
  ["half a surrogate pair at the end", `${digits(299)}😀${digits(400)}`, 0, `${digits(299)}…`],
])("clips %s", (_what, text, at, clipped) => {
  expect(clipLine(text, at)).toBe(clipped);
});

test.each([
  ["all lines", ["a", "b"], 2, "a\nb"],
  ["the first of more lines", ["a", "b"], 3, "a\nb\n…"],
  ["1,000 characters", ["x".repeat(500), "y".repeat(499)], 2, `${"x".repeat(500)}\n${"y".repeat(499)}`],
  ["1,001 characters", ["x".repeat(500), "y".repeat(500)], 2, `${"x".repeat(500)}\n${"y".repeat(499)}…`],
  ["half a surrogate pair at the end", [`${"x".repeat(999)}😀`], 1, `${"x".repeat(999)}…`],
])("joins %s", (_what, lines, total, text) => {
  expect(joinLines(lines, total)).toBe(text);
});
