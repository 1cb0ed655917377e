import { expect, test } from "vitest";
import { clipLongLines } from "../../../src/disk/edit/diff/long-lines.ts";

const [HEAD, TAIL] = ["a".repeat(900), "z".repeat(900)];

test("shows forty characters on both sides of the change in a long line", () => {
  const [removed, added] = clipLongLines([`-${HEAD}old${TAIL}`, `+${HEAD}newer${TAIL}`]);
  expect(removed).toBe(`-…${"a".repeat(40)}old${"z".repeat(40)}… [column 901 of 1803]`);
  expect(added).toBe(`+…${"a".repeat(40)}newer${"z".repeat(40)}… [column 901 of 1805]`);
});

test("shows the beginning of a long line without a partner", () => {
  expect(clipLongLines([` ${HEAD}${TAIL}`])).toEqual([` ${"a".repeat(200)}… [column 1 of 1800]`]);
});

test("keeps one mark of a missing newline where lines are cut", () => {
  const mark = String.raw`\ No newline at end of file`;
  expect(clipLongLines([`-${HEAD}x${TAIL}`, mark, `+${HEAD}y${TAIL}`, mark]).filter((line) => line === mark)).toHaveLength(1);
  expect(clipLongLines([`-${HEAD}x${TAIL}`, mark, `+${HEAD}y${TAIL}`])[1]).toBe(mark);
  expect(clipLongLines(["-x", mark, "+y", mark])).toHaveLength(4);
});

test("changes no line of up to a thousand characters", () => {
  expect(clipLongLines([`-${"a".repeat(999)}`])).toEqual([`-${"a".repeat(999)}`]);
});
