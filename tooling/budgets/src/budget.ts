/**
 * Budgets: measured figures beside those of the stored table `budgets.tsv`. A figure that is more than a quarter above the stored one fails;
 * `UPDATE_BUDGETS=1` stores what is measured.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { FileLock } from "../../build/file-lock.ts";

const TABLE = new URL("../budgets.tsv", import.meta.url);
const LOCK = fileURLToPath(new URL("../node_modules/.cache/budgets-lock.db", import.meta.url));
const HEAD = "what\tmeasured\tunit";
const MAX_GROWTH = 1.25;
/** Below this share of the stored figure, storing the new one keeps the gain. */
const GAIN = 0.8;

export interface Figure {
  /** `servers/git/dist/bin.js`, `tarball of @oarlock/git`. */
  readonly what: string;
  readonly measured: number;
  readonly unit: string;
}

export function readBudgets(): Figure[] {
  const [, ...lines] = readFileSync(TABLE, "utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const [what = "", measured, unit = ""] = line.split("\t");
    return { what, measured: Number(measured), unit };
  });
}

/** Prints the figures beside the stored ones, and expects each within its budget. */
export function expectWithinBudgets(figures: readonly Figure[]): void {
  if (process.env["UPDATE_BUDGETS"] === "1") store(figures);
  const { lines, problems } = compareBudgets(figures, readBudgets());
  console.log(lines.join("\n"));
  expect(problems).toEqual([]);
}

export function compareBudgets(figures: readonly Figure[], stored: readonly Figure[]): { lines: string[]; problems: string[] } {
  const lines: string[] = [];
  const problems: string[] = [];
  for (const figure of figures) {
    const { what, measured, unit } = figure;
    const before = stored.find((other) => isSame(other, figure))?.measured;
    const gain = before !== undefined && measured < before * GAIN ? ". Run its test with UPDATE_BUDGETS=1 to keep this gain" : "";
    lines.push(`${what}: ${measured} ${unit} (stored: ${before ?? "nothing"})${gain}`);
    if (before === undefined)
      problems.push(`${what} has no stored number of ${unit}. Run its test with UPDATE_BUDGETS=1, which stores it.`);
    else if (measured === 0 && before > 0) problems.push(`${what}: measured nothing, stored are ${before} ${unit}. Mend the measurement.`);
    else if (measured > before * MAX_GROWTH)
      problems.push(
        `${what}: ${measured} ${unit} are more than a quarter above the stored ${before}. Make it smaller, or run its test with UPDATE_BUDGETS=1 and say in the commit what the growth buys.`,
      );
  }
  return { lines, problems };
}

const isSame = (a: Figure, b: Figure): boolean => a.what === b.what && a.unit === b.unit;

/** Test files run in parallel; the lock prevents lost updates. */
function store(figures: readonly Figure[]): void {
  using _ = new FileLock(LOCK);
  const others = readBudgets().filter((other) => !figures.some((figure) => isSame(other, figure)));
  const rows = [...others, ...figures].map(({ what, measured, unit }) => `${what}\t${measured}\t${unit}`).toSorted();
  writeFileSync(TABLE, `${[HEAD, ...rows].join("\n")}\n`);
}
