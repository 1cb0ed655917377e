// The time that it takes to split a statement into tokens.
import { cpuMs } from "@oarlock/testing";
import { expect, test } from "vitest";
import { tokensOf } from "../../../src/db/sql/tokens.ts";

test("tokensOf takes linear time for repeated characters", () => {
  const before = cpuMs();
  for (const part of ["'", '"', "/*", "--", "-", "/", "*", "[", "a", "1", "?", " ", "\n", "''", "/**/", "é"])
    tokensOf(part.repeat(200_000));
  // Quadratic time would be minutes.
  expect(cpuMs() - before).toBeLessThan(5000);
});
