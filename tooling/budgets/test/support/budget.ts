/**
 * Budgets: measured figures beside those of the stored table `budgets.tsv`, by one rule. A figure may grow by a tenth over the stored one;
 * beyond that the run asks to store it (`UPDATE_BUDGETS=1` stores what is measured), and from a quarter on it fails. Where the table has a
 * promise to users, the promise is the limit: it does not rise, and the run says when less than a tenth of it is free.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { FileLock } from "../../../build/file-lock.ts";

const TABLE = new URL("../../budgets.tsv", import.meta.url);
const LOCK = fileURLToPath(new URL("../../node_modules/.cache/budgets-lock.db", import.meta.url));
const HEAD = "what\tmeasured\tunit\tpromised";
const HEADROOM = 1.1;
const MAX_GROWTH = 1.25;
/** Below this share of the stored figure, storing the new one keeps the gain. */
const GAIN = 0.8;

export interface Figure {
  /** `servers/git/dist/bin.js`, `tarball of @oarlock/git`. */
  readonly what: string;
  readonly measured: number;
  readonly unit: string;
}

export interface Budget extends Figure {
  /** The most that users are promised. */
  readonly promised?: number;
}

export function readBudgets(): Budget[] {
  const [, ...lines] = readFileSync(TABLE, "utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const [what = "", measured, unit = "", promised = ""] = line.split("\t");
    return { what, measured: Number(measured), unit, ...(promised !== "" && { promised: Number(promised) }) };
  });
}

/** Prints the figures beside the stored ones, and expects each within its budget. */
export function expectWithinBudgets(figures: readonly Figure[]): void {
  if (process.env["UPDATE_BUDGETS"] === "1") store(figures);
  const { lines, problems } = compareBudgets(figures, readBudgets());
  console.log(lines.join("\n"));
  expect(problems).toEqual([]);
}

export function compareBudgets(figures: readonly Figure[], stored: readonly Budget[]): { lines: string[]; problems: string[] } {
  const lines: string[] = [];
  const problems: string[] = [];
  for (const figure of figures) {
    const { what, measured, unit } = figure;
    const budget = stored.find((other) => isSame(other, figure));
    lines.push(
      `${what}: ${measured} ${unit} (stored: ${budget?.measured ?? "nothing"})${budget === undefined ? "" : hintFor(measured, budget)}`,
    );
    if (budget === undefined)
      problems.push(`${what} has no stored number of ${unit}. Run its test with UPDATE_BUDGETS=1, which stores it.`);
    else if (measured === 0 && budget.measured > 0)
      problems.push(`${what}: measured nothing, stored are ${budget.measured} ${unit}. Mend the measurement.`);
    else if (budget.promised !== undefined && measured > budget.promised)
      problems.push(`${what}: ${measured} ${unit} are above the promised ${budget.promised}. Make it smaller: promises do not rise.`);
    else if (budget.promised === undefined && measured > budget.measured * MAX_GROWTH)
      problems.push(
        `${what}: ${measured} ${unit} are more than a quarter above the stored ${budget.measured}. Make it smaller, or run its test with UPDATE_BUDGETS=1, commit tooling/budgets/budgets.tsv and say in the commit what the growth buys.`,
      );
  }
  return { lines, problems };
}

/** What to do before a figure fails. */
function hintFor(measured: number, { measured: before, promised }: Budget): string {
  if (promised !== undefined)
    return measured * HEADROOM > promised ? `. Of the promised ${promised} only ${promised - measured} are free` : "";
  if (measured < before * GAIN) return ". Run its test with UPDATE_BUDGETS=1 to keep this gain";
  return measured > before * HEADROOM ? ". The headroom of a tenth is used: run its test with UPDATE_BUDGETS=1 if the growth is meant" : "";
}

const isSame = (a: Figure, b: Figure): boolean => a.what === b.what && a.unit === b.unit;

/** Test files run in parallel; the lock prevents lost updates. */
function store(figures: readonly Figure[]): void {
  using _ = new FileLock(LOCK);
  const stored = readBudgets();
  const others = stored.filter((other) => !figures.some((figure) => isSame(other, figure)));
  const measured = figures.map((figure) => ({ ...stored.find((other) => isSame(other, figure)), ...figure }));
  const rows = [...others, ...measured]
    .map((one: Budget) => [one.what, one.measured, one.unit, one.promised ?? ""].join("\t").trimEnd())
    .toSorted();
  writeFileSync(TABLE, `${[HEAD, ...rows].join("\n")}\n`);
}
