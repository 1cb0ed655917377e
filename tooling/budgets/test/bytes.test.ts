/** What is published stays as small as it is. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BYTES } from "../src/bytes.ts";
import { built } from "../src/places.ts";

function sizesIn(path: string, ending: string): number[] {
  if (statSync(path).isFile()) return [statSync(path).size];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => statSync(join(entry.parentPath, entry.name)).size);
}

test.each(BYTES)("$path $ending: at most $bytes bytes in $files files", ({ path, ending = "", bytes, files }) => {
  const sizes = sizesIn(built(path), ending);
  const sum = sizes.reduce((all, one) => all + one, 0);
  expect(sum).toBeLessThanOrEqual(bytes);
  expect(sizes.length).toBeLessThanOrEqual(files);
  // A budget that has become too wide guards nothing.
  expect(sum).toBeGreaterThan(0.8 * bytes);
});
