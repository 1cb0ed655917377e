/** Tests that the page of each view stays within its budget, and that its sources treat text from outside as text only. */
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectWithinBudgets } from "./support/budget.ts";
import { builtFile, root } from "@oarlock-tooling/test-support/built-file";

const VIEWS = globSync("servers/*/views/*/main.ts", { cwd: root }).toSorted();
const SOURCES = globSync("{servers/*/views,packages/extensions/src/{page,view}}/**/*.ts", { cwd: root }).toSorted();

test("finds a view in each server", () => {
  expect(new Set(VIEWS.map((source) => source.split(/[\\/]/)[1])).size).toBe(4);
});

// Hosts load the page for each result that they show.
test.each(VIEWS)("keeps the page of %s within its budget", (source) => {
  const page = source.replaceAll("\\", "/").replace(/\/views\/(.+)\/main\.ts$/, "/dist/views/$1.html");
  expectWithinBudgets([{ what: page, measured: statSync(builtFile(page)).size, unit: "bytes" }]);
});

test.each(SOURCES)("%s makes no markup or code of text", (source) => {
  const text = readFileSync(join(root, source), "utf8");
  expect(
    /\b(?:innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|DOMParser|eval|Function)\b\s*[(=]|document\.write/.exec(
      text,
    )?.[0],
  ).toBeUndefined();
});
