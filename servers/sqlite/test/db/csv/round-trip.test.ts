// CSV files: import_csv reads the same values that export_query wrote.
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anyText } from "../../support/any-text.ts";
import { exporting, importing } from "../../support/csv-file.ts";
import { rowsOf } from "../../support/databases.ts";
import { openEngine, type OpenedEngine } from "../../support/engine.ts";

const COLUMNS = "(i INTEGER, r REAL, t TEXT, b BLOB, n NUMERIC, x)";

let shop: OpenedEngine;
beforeAll(async () => {
  shop = await openEngine(`CREATE TABLE original ${COLUMNS}; CREATE TABLE copy ${COLUMNS}`);
});
afterAll(() => shop[Symbol.asyncDispose]());

/** Values with their types; `quote()` writes each as an exact literal. */
const contents = (table: string, columns = "i, r, t, b, n, x"): unknown => {
  const exact = columns.split(", ").map((column) => `typeof(${column}), quote(${column})`);
  return rowsOf(shop.file, `SELECT ${exact.join(", ")} FROM ${table} ORDER BY rowid`);
};

async function copyByFile(query: string, table: string, create: boolean): Promise<string> {
  const { content } = exporting(shop, query);
  rmSync(join(dirname(shop.file), "out.txt"));
  await importing(shop, content, { table, create });
  return content;
}

test("import_csv restores any value in a column of any affinity", async () => {
  const value = fc.oneof(
    fc.constantFrom(null, "", "007", "12", "1.50", "x''", "x'00'", "X'ff'", "Infinity", " 1", "1 ", '"', "\uFEFF", "\r", "\n", "a,b"),
    anyText(1),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.double({ noNaN: true }).map((real) => (Object.is(real, -0) ? 0 : real)),
    fc.uint8Array({ maxLength: 5 }).map((bytes) => Buffer.from(bytes)),
  );
  const row = fc.tuple(value, value, value, value, value, value);
  const { db } = shop.engine;
  const insert = db.prepare("INSERT INTO original VALUES (?, ?, ?, ?, ?, ?)");
  // One transaction: a disk that is busy takes long for each.
  db.transaction(() => fc.sample(row, 200).forEach((values) => insert.run(...values)))();
  await copyByFile("SELECT * FROM original", "copy", false);
  expect(contents("copy")).toEqual(contents("original"));
});

describe("import_csv into a new table", () => {
  test.each([
    ["integers", "12, -7, NULL"],
    ["real numbers", "100.0, 1.5, NULL, 9e999, 1e21"],
    ["texts", "'a', '', NULL, '12', '007', 'x''00''', 'two' || char(13, 10) || 'lines', '\"'"],
    ["BLOBs", "x'', x'0102ff', NULL"],
    ["texts and BLOBs", "'', x'', NULL, 'a'"],
    ["integers, the empty text and BLOBs", "1, '', x'', NULL"],
    ["only NULL", "NULL"],
    ["only an empty text", "''"],
  ])("keeps %s", async (what, values) => {
    const rows = values.split(/, (?![^']*'[^']*$|\d+\))/);
    const table = `new_${what.replaceAll(/\W/g, "_")}`;
    const query = rows.map((one) => `SELECT ${one} AS v`).join(" UNION ALL ");
    await copyByFile(query, table, true);
    expect(contents(table, "v")).toEqual(rowsOf(shop.file, `SELECT typeof(v), quote(v) FROM (${query})`));
  });

  test("distinguishes NULL and the empty text in a single column", async () => {
    expect(await copyByFile("SELECT NULL AS v UNION ALL SELECT '' UNION ALL SELECT 'a'", "one_column", true)).toBe('v\r\n\r\n""\r\na\r\n');
    expect(rowsOf(shop.file, "SELECT v FROM one_column")).toEqual([[null], [""], ["a"]]);
  });
});

describe("import_csv of files of other programs", () => {
  const imported = async (content: string, table: string): Promise<unknown> => {
    await importing(shop, content, { table, create: true });
    return rowsOf(shop.file, `SELECT * FROM ${table}`);
  };

  test("guesses types in a file that quotes every field", async () => {
    expect(await imported('"id","name"\n"1","Ada"\n"2",""\n', "all_quoted")).toEqual([
      [1, "Ada"],
      [2, null],
    ]);
  });

  test("reads a quoted field as text if other fields are not quoted", async () => {
    expect(await imported('id,name\n1,"12"\n2,""\n', "some_quoted")).toEqual([
      [1, "12"],
      [2, ""],
    ]);
  });

  test("skips blank lines of a file with several columns", async () => {
    expect(await imported("a,b\n\n1,2\n\n", "blank_lines")).toEqual([[1, 2]]);
  });

  test("refuses a truncated BLOB", async () => {
    await expect(importing(shop, "v\nx'0102…'\n", { table: "cut", create: true })).rejects.toThrow("is a truncated BLOB");
  });
});
