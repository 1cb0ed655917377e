// The default limits, compared with the descriptions that users read.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../../src/runtime/limits.ts";

const SOURCE = readFileSync(new URL("../../src/runtime/limits.ts", import.meta.url), "utf8");
const UNITS: Readonly<Record<string, number>> = { MiB: 1024 * 1024, MB: 1_000_000 };

/** Limit → the default that its description names. */
const described = Object.fromEntries(
  [...SOURCE.matchAll(/Default ([\d.,]*\d)(?: (MiB|MB))?\. \*\/\s+(\w+): number;/g)].map(([, digits = "", unit = "", name]) => [
    name,
    Number(digits.replaceAll(",", "")) * (UNITS[unit] ?? 1),
  ]),
);

test("gives each limit the default in its description", () => {
  expect(DEFAULT_LIMITS).toEqual(described);
});
