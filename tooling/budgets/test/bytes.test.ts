/** Tests that built files stay within their budgets of bytes and files. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectWithinBudget } from "../src/budget.ts";
import { BYTES } from "../src/bytes.ts";
import { built } from "../src/built-file.ts";

const FILE = "tooling/budgets/src/bytes.ts";

function sizesIn(path: string, ending: string): number[] {
  if (statSync(path).isFile()) return [statSync(path).size];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => statSync(join(entry.parentPath, entry.name)).size);
}

test.each(BYTES)("$path $ending stays within $bytes bytes and $files files", ({ path, ending = "", bytes, files }) => {
  const sizes = sizesIn(built(path), ending);
  expectWithinBudget({
    what: `${path} ${ending}, bytes`,
    figure: sizes.reduce((all, one) => all + one, 0),
    limit: bytes,
    file: FILE,
    remedy: "load code that a start does not need lazily (await import), or remove code",
  });
  expect(sizes.length, `${path}: ${sizes.length} files. Raise \`files\` in ${FILE} and say why in the commit.`).toBeLessThanOrEqual(files);
});
