/** The comparison of measured figures with the stored ones. */
import { expect, test } from "vitest";
import { compareBudgets, readBudgets } from "../src/budget.ts";

const figure = (measured: number, unit = "bytes") => ({ what: "a file", measured, unit });

test("prints the measured figure beside the stored one", () => {
  expect(compareBudgets([figure(120)], [figure(100)])).toEqual({ lines: ["a file: 120 bytes (stored: 100)"], problems: [] });
});

test("says how to keep a gain of more than a fifth", () => {
  expect(compareBudgets([figure(79)], [figure(100)]).lines).toEqual([
    "a file: 79 bytes (stored: 100). Run its test with UPDATE_BUDGETS=1 to keep this gain",
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

test("the table has each figure once", () => {
  const names = readBudgets().map(({ what, unit }) => `${what} ${unit}`);
  expect(names.length).toBeGreaterThan(20);
  expect(names).toEqual([...new Set(names)]);
});
