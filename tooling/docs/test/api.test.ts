/** The API reference follows from the types and describes each of them. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DESCRIBED, entries, fileOf, reference } from "../api.ts";

test.each(DESCRIBED)("API.md of %s equals the output of `node tooling/docs/api.ts`", (folder) => {
  const remedy = `${folder}/API.md does not describe what the package exports: run pnpm build and node --conditions=oarlock-source tooling/docs/api.ts, and commit it`;
  expect(readFileSync(fileOf(folder), "utf8"), remedy).toBe(reference(folder));
});

test.each(DESCRIBED.flatMap(entries).map(({ from, declared }) => [from, declared] as const))(
  "comments on every export of %s",
  (_from, declared) => {
    expect(declared.length).toBeGreaterThan(0);
    expect(declared.filter(({ doc }) => doc === undefined).map(({ name }) => name)).toEqual([]);
  },
);
