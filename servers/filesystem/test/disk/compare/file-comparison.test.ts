// Two files compared: by their bytes, and as text whatever their encoding is.
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compareFiles } from "../../../src/disk/compare/file-comparison.ts";
import { refuses } from "../support/world.ts";
import { scratch } from "../support/scratch.ts";

async function compare(first: string | Buffer, second: string | Buffer) {
  const place = scratch();
  writeFileSync(place.at("a"), first);
  writeFileSync(place.at("b"), second);
  return { place, compared: await compareFiles(await place.sandbox(), "a", "b") };
}

test("shows the changed lines between the names of both files", async () => {
  const { compared } = await compare("one\ntwo\nthree\n", "one\n2\nthree\nfour\n");
  expect(compared).toMatchObject({ kind: "text", additions: 2, deletions: 1 });
  expect((compared as { diff: string }).diff).toBe(`--- a\n+++ b\n@@ -1,3 +1,4 @@\n one\n-two\n+2\n three\n+four\n`);
});

test.each([
  ["line endings", "one\ntwo\n", "one\r\ntwo\r\n", { lineEnding: "lf" }, { lineEnding: "crlf" }],
  ["encodings", "grün\n", Buffer.from("\ufeffgrün\n", "utf16le"), { encoding: "utf-8" }, { encoding: "utf-16le", bom: true }],
  ["byte order marks", "a\n", "\ufeffa\n", { bom: false }, { bom: true }],
] as const)("tells other %s from other text", async (_, first, second, before, after) => {
  const { compared } = await compare(first, second);
  expect(compared).toMatchObject({ kind: "text", diff: "", additions: 0, deletions: 0, forms: [before, after] });
});

test("finds equal files and the first other byte of binary ones", async () => {
  expect((await compare("same", "same")).compared).toEqual({ kind: "identical", bytes: 4 });
  const binary = Buffer.from([0xff, 0, 1, 2, 0xfe]);
  const other = Buffer.from([0xff, 0, 1, 3]);
  expect((await compare(binary, other)).compared).toEqual({ kind: "binary", sizes: [5, 4], firstDifference: 3 });
});

test("refuses what is missing, outside, or not a file", async () => {
  const { place } = await compare("a", "b");
  const sandbox = await place.sandbox();
  await refuses("not-found", () => compareFiles(sandbox, "a", "c"));
  await refuses("denied", () => compareFiles(sandbox, "a", `${place.out}/secret.txt`));
  await refuses("not-a-file", () => compareFiles(sandbox, ".", "a"));
});
