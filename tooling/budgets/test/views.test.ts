/** Tests that each view is one page of at most 250 KB, and that its sources treat text from outside as text only. */
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtFile, root } from "@oarlock-tooling/test-support/built-file";

const VIEWS = globSync("servers/*/views/*/main.ts", { cwd: root }).toSorted();
const SOURCES = globSync("{servers/*/views,packages/extensions/src/{page,view}}/**/*.ts", { cwd: root }).toSorted();

/** Hosts load the page for each result that they show. */
const MAX_BYTES = 250_000;

test("each server has a view", () => {
  expect(new Set(VIEWS.map((source) => source.split(/[\\/]/)[1])).size).toBe(4);
});

test.each(VIEWS)("the page of %s has at most 250 KB", (source) => {
  const page = builtFile(source.replace(/\/views\/(.+)\/main\.ts$/, "/dist/views/$1.html"));
  expect(statSync(page).size, `${page}: leave parts of the libraries out`).toBeLessThanOrEqual(MAX_BYTES);
});

test.each(SOURCES)("%s makes no markup or code of text", (source) => {
  const text = readFileSync(join(root, source), "utf8");
  expect(
    /\b(?:innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|DOMParser|eval|Function)\b\s*[(=]|document\.write/.exec(
      text,
    )?.[0],
  ).toBeUndefined();
});
