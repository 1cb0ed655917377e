/** Budgets: compares a figure with its limit; the failure message names the remedy. */
import { expect } from "vitest";

export interface Budget {
  /** What is measured, with its unit: `servers/git/dist/bin.js, bytes`. */
  readonly what: string;
  readonly figure: number;
  readonly limit: number;
  /** The file with the limit, from the root of the repository. */
  readonly file: string;
  /** How to get below it: `load what a start does not need later, by import()`. */
  readonly remedy: string;
}

/** A limit this far above its figure no longer protects anything. */
const LEAST_USE = 0.6;

/** Expects a figure within its budget, and a budget that is not far too wide. */
export function expectWithinBudget({ what, figure, limit, file, remedy }: Budget): void {
  expect(
    figure,
    `${what}: ${figure} is above the budget of ${limit}. Either ${remedy}, or raise the number in ${file} to a tenth above the figure and say why in the commit.`,
  ).toBeLessThanOrEqual(limit);
  expect(figure, `${what}: ${figure} is far below the budget of ${limit}. Lower the number in ${file}.`).toBeGreaterThan(LEAST_USE * limit);
}
