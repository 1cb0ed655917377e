/** The API reference follows from the types and describes each of them. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { entries, file, reference } from "../api.ts";

test("API.md equals the output of `node tooling/docs/api.ts`", () => {
  expect(readFileSync(file, "utf8")).toBe(reference());
});

test.each(entries().map(({ from, declared }) => [from, declared] as const))(
  "everything that %s exports has a comment",
  (_from, declared) => {
    expect(declared.length).toBeGreaterThan(0);
    expect(declared.filter(({ doc }) => doc === undefined).map(({ name }) => name)).toEqual([]);
  },
);
