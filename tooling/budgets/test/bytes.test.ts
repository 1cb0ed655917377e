/** Bytes that are published and parsed, and how many files they are in, beside the stored table. */
import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectWithinBudgets, readBudgets, type Figure } from "./support/budget.ts";
import { root } from "@oarlock-tooling/test-support/built-file";

const found = (glob: string): string[] => globSync(glob, { cwd: root }).map((path) => path.replaceAll("\\", "/"));

/** Every package and server has a row by its folder, so that a new one cannot be left out. */
const MEASURED = [
  ...found("packages/*/src").map((folder) => folder.replace(/src$/, "dist/**/*.js")),
  ...found("servers/*/src").flatMap((folder) => [folder.replace(/src$/, "dist/bin.js"), folder.replace(/src$/, "dist/lazy/**/*.*")]),
  "packages/server-kit/dist/**/*.d.ts",
  "servers/sqlite/dist/child.js",
  "tooling/bench/dist/echo-http.js",
  "tooling/bench/dist/echo-stdio.js",
];

function measure(what: string): Figure[] {
  const sizes = found(what).map((path) => statSync(join(root, path)).size);
  if (sizes.length === 0) throw new Error(`Missing ${what}: run pnpm build first`);
  const bytes = { what, measured: sizes.reduce((sum, size) => sum + size, 0), unit: "bytes" };
  return what.includes("*") ? [bytes, { what, measured: sizes.length, unit: "files" }] : [bytes];
}

test("keeps the built files within their budgets", () => {
  const figures = MEASURED.flatMap(measure);
  expectWithinBudgets(figures);
  const stored = readBudgets().filter(({ what }) => what.includes("/dist/") && !what.endsWith(".html"));
  expect(stored.map(({ what }) => what).filter((what) => !MEASURED.includes(what))).toEqual([]);
});
