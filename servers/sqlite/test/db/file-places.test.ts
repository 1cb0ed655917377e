// Files of imports and exports, as the database process opens them.
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { exporting, importing, placeOf } from "../support/csv-file.ts";
import { openEngine } from "../support/engine.ts";

test("opens nothing when the folder or the file became a link after the check (L5)", async () => {
  await using opened = await openEngine("CREATE TABLE t (a)");
  const at = (name: string): string => join(dirname(opened.file), name);
  for (const name of ["d", "out"]) mkdirSync(at(name));
  for (const name of ["d/in.csv", "out/in.csv"]) writeFileSync(at(name), "a\n1\n");
  const [input, output] = [placeOf(at("d/in.csv")), placeOf(at("d/new.csv"))];
  rmSync(at("d/in.csv"));
  symlinkSync(at("out/in.csv"), at("d/in.csv"));
  symlinkSync(at("out/new.csv"), at("d/new.csv"));
  const refused = "was just removed or replaced by another program";
  await expect(importing(opened, "", { file: input })).rejects.toThrow(refused);
  expect(() => exporting(opened, "SELECT 1", { file: output })).toThrow("EEXIST");
  renameSync(at("d"), at("moved"));
  symlinkSync(at("out"), at("d"));
  await expect(importing(opened, "", { file: input })).rejects.toThrow(refused);
  expect(() => exporting(opened, "SELECT 1", { file: output })).toThrow(refused);
  rmSync(at("d"));
  renameSync(at("out"), at("d"));
  await expect(importing(opened, "", { file: input })).rejects.toThrow(refused);
  expect(readdirSync(at("d"))).toEqual(["in.csv"]);
});
