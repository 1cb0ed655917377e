// Golden files: JSON values stored beside the tests and compared exactly.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { expect } from "vitest";

/**
 * Expects a value to equal the JSON of a golden file. With the environment variable `UPDATE_GOLDEN=1` the file is written first.
 * @example
 * everyRevision("lists the golden tools", async (revision) =>
 *   expectGolden(new URL(`golden/${revision}.tools.json`, import.meta.url), await listTools(revision)));
 */
export function expectGolden(file: URL, value: unknown): void {
  if (process.env["UPDATE_GOLDEN"] === "1") {
    mkdirSync(new URL(".", file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
  }
  expect(value, `differs from ${basename(file.pathname)}; after a change on purpose, run the test once with UPDATE_GOLDEN=1`).toEqual(
    JSON.parse(readFileSync(file, "utf8")),
  );
}

/** The size of a value as JSON, in UTF-8 bytes. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
