/** The comparison of measured figures with the stored ones. */
import { expect, test } from "vitest";
import { compareBudgets, readBudgets } from "./support/budget.ts";

const figure = (measured: number, unit = "bytes") => ({ what: "a file", measured, unit });

test("prints the measured figure beside the stored one", () => {
  expect(compareBudgets([figure(105)], [figure(100)])).toEqual({ lines: ["a file: 105 bytes (stored: 100)"], problems: [] });
});

test("says how to keep a gain of more than a fifth", () => {
  expect(compareBudgets([figure(79)], [figure(100)]).lines).toEqual([
    "a file: 79 bytes (stored: 100). Run its test with UPDATE_BUDGETS=1 to keep this gain",
  ]);
});

test("asks to store a figure that has grown by more than a tenth", () => {
  expect(compareBudgets([figure(110)], [figure(100)]).lines).toEqual(["a file: 110 bytes (stored: 100)"]);
  expect(compareBudgets([figure(111)], [figure(100)]).lines).toEqual([
    "a file: 111 bytes (stored: 100). The headroom of a tenth is used: run its test with UPDATE_BUDGETS=1 if the growth is meant",
  ]);
});

test("takes a promise to users as the limit, whatever is stored", () => {
  const promised = { ...figure(100), promised: 200 };
  expect(compareBudgets([figure(180)], [promised])).toEqual({ lines: ["a file: 180 bytes (stored: 100)"], problems: [] });
  expect(compareBudgets([figure(190)], [promised])).toEqual({
    lines: ["a file: 190 bytes (stored: 100). Of the promised 200 only 10 are free"],
    problems: [],
  });
  expect(compareBudgets([figure(201)], [promised]).problems).toEqual([
    "a file: 201 bytes are above the promised 200. Make it smaller: promises do not rise.",
  ]);
});

test.each([
  [125, 100, []],
  [126, 100, [expect.stringMatching(/^a file: 126 bytes are more than a quarter above the stored 100\. .*UPDATE_BUDGETS=1/)]],
  [0, 0, []],
  [1, 0, [expect.stringContaining("above the stored 0")]],
  [0, 100, ["a file: measured nothing, stored are 100 bytes. Mend the measurement."]],
])("judges %i beside %i", (measured, stored, problems) => {
  expect(compareBudgets([figure(measured)], [figure(stored)]).problems).toEqual(problems);
});

test("refuses a figure that is not stored in its unit", () => {
  expect(compareBudgets([figure(1)], [figure(1, "files")]).problems).toEqual([expect.stringContaining("has no stored number of bytes")]);
});

test("stores each figure once", () => {
  const names = readBudgets().map(({ what, unit }) => `${what} ${unit}`);
  expect(names.length).toBeGreaterThan(20);
  expect(names).toEqual([...new Set(names)]);
});
