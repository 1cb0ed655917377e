// The page of limits follows from their declarations.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { file, limitsPage } from "../limits.ts";

test("docs/limits.md equals the output of `node tooling/docs/limits.ts`", () => {
  expect(readFileSync(file, "utf8")).toBe(limitsPage());
});
