// The default limits, compared with the descriptions that users read.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../../src/runtime/limits.ts";

const SOURCE = readFileSync(new URL("../../src/runtime/limits.ts", import.meta.url), "utf8");
const UNITS: Readonly<Record<string, number>> = { kB: 1000, MB: 1_000_000, KiB: 1024, MiB: 1024 * 1024 };

function bytesOf(digits: string, unit: string, limit: string): number {
  const factor = unit === "" ? 1 : UNITS[unit];
  if (factor === undefined)
    throw new Error(`Limit ${limit} has an unknown unit "${unit}": expected one of ${Object.keys(UNITS).join(", ")}.`);
  return Number(digits.replaceAll(",", "")) * factor;
}

/** Limit → the default that its description names. */
const described = Object.fromEntries(
  [...SOURCE.matchAll(/Default ([\d.,]*\d) ?([^.]*)\. \*\/\s+(\w+): number;/g)].map(([, digits = "", unit = "", limit = ""]) => [
    limit,
    bytesOf(digits, unit, limit),
  ]),
);

test("gives each limit the default in its description", () => {
  expect(DEFAULT_LIMITS).toEqual(described);
});
