/** The reference is what the types say, and says a word on each. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { entries, file, reference } from "../api.ts";

test("API.md is as `node tooling/docs/api.ts` writes it", () => {
  expect(readFileSync(file, "utf8")).toBe(reference());
});

test.each(entries().map(({ from, declared }) => [from, declared] as const))(
  "everything that %s exports has a comment",
  (_from, declared) => {
    expect(declared.length).toBeGreaterThan(0);
    expect(declared.filter(({ doc }) => doc === undefined).map(({ name }) => name)).toEqual([]);
  },
);
