/** Bytes that are published and parsed, by the paths that the stored table names, and how many files they are in. */
import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectWithinBudgets, readBudgets } from "../src/budget.ts";
import { root } from "../src/built-file.ts";

const rows = readBudgets().filter(({ what }) => what.includes("/dist/"));

function measure(what: string, unit: string): number {
  const files = globSync(what, { cwd: root }).map((path) => statSync(join(root, path)));
  if (files.length === 0) throw new Error(`Missing ${what}: run pnpm build first`);
  return unit === "files" ? files.length : files.reduce((sum, { size }) => sum + size, 0);
}

test("the built files stay within their budgets", () => {
  expect(rows.length).toBeGreaterThan(20);
  expectWithinBudgets(rows.map(({ what, unit }) => ({ what, unit, measured: measure(what, unit) })));
});
