// Exports of rows to new files: every row once, in each format, with exact values.
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { exporting, placeOf } from "../../support/csv-file.ts";
import { openEngine } from "../../support/engine.ts";

const counting = (to: number): string =>
  `WITH RECURSIVE c(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM c WHERE i < ${to}) SELECT i FROM c`;

const VALUES = "SELECT 1 AS i, 1.0 AS r, 9007199254740993 AS big, -1e999 AS down, NULL AS n, 'a,b' AS t, x'0102' AS b";

test.each([
  ["csv", "i,r,big,down,n,t,b\r\n1,1.0,9007199254740993,-Infinity,,\"a,b\",x'0102'\r\n"],
  ["json", '[{"i":1,"r":1.0,"big":"9007199254740993","down":"-Infinity","n":null,"t":"a,b","b":{"bytes":2,"base64":"AQI="}}]\n'],
  ["jsonl", '{"i":1,"r":1.0,"big":"9007199254740993","down":"-Infinity","n":null,"t":"a,b","b":{"bytes":2,"base64":"AQI="}}\n'],
] as const)("%s writes each value exactly", async (format, content) => {
  await using opened = await openEngine("CREATE TABLE t (a)");
  expect(exporting(opened, VALUES, { format })).toEqual({
    reply: { rows: 1, bytes: content.length, hasReplacementCharacter: false, hasFormulas: false },
    content,
  });
});

test.each([
  ["csv", "i\r\n"],
  ["json", "[]\n"],
  ["jsonl", ""],
] as const)("%s writes a valid file without rows", async (format, content) => {
  await using opened = await openEngine("CREATE TABLE t (a)");
  expect(exporting(opened, "SELECT 1 AS i WHERE 0", { format })).toMatchObject({ reply: { rows: 0, bytes: content.length }, content });
});

test.each([500, 501, 1203])("writes each of %i rows once", async (count) => {
  await using opened = await openEngine("CREATE TABLE t (a)");
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const { reply, content } = exporting(opened, counting(count), { format: "json" });
  expect(JSON.parse(content)).toEqual(numbers.map((i) => ({ i })));
  expect(reply).toMatchObject({ rows: count, bytes: content.length });
});

test("ends a batch early for long values, and completes them", async () => {
  await using opened = await openEngine("CREATE TABLE t (a)");
  const query = `SELECT i, printf('%.*c', 100000, 'é') AS t, zeroblob(100000) AS b FROM (${counting(7)})`;
  const { reply, content } = exporting(opened, query, { format: "jsonl" });
  const rows = content
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { i: number; t: string; b: { bytes: number } });
  expect(rows.map(({ i, t, b }) => [i, t.length, b.bytes])).toEqual(Array.from({ length: 7 }, (_, index) => [index + 1, 100_000, 100_000]));
  expect(reply.bytes).toBe(Buffer.byteLength(content));
});

test("binds parameters", async () => {
  await using opened = await openEngine("CREATE TABLE t (a)");
  expect(exporting(opened, "SELECT ? AS a, ? AS b", { params: ["x", 2], format: "jsonl" }).content).toBe('{"a":"x","b":2}\n');
});

test("reports that a text held invalid bytes in any of its batches", async () => {
  await using opened = await openEngine("CREATE TABLE t (a)");
  const invalid = `SELECT CASE i WHEN 2 THEN CAST(x'41ff' AS TEXT) ELSE 'a' END AS t FROM (${counting(1500)})`;
  expect(exporting(opened, invalid).reply.hasReplacementCharacter).toBe(true);
});

test("reports progress after each ten thousand rows", async () => {
  await using opened = await openEngine("CREATE TABLE t (a)");
  const reports: number[][] = [];
  exporting(opened, counting(25_000), {}, (done, total) => void reports.push([done, total]));
  expect(reports).toEqual([
    [10_000, 0],
    [20_000, 0],
  ]);
});

test("overwrites no existing file, and creates none for a refused statement", async () => {
  await using opened = await openEngine("CREATE TABLE t (a)");
  const file = join(dirname(opened.file), "refused.csv");
  for (const sql of ["DELETE FROM t", "SELECT * FROM none", "SELECT ?"])
    expect(() => exporting(opened, sql, { file: placeOf(file) })).toThrow(/only reads|no such table|1 parameter/);
  expect(existsSync(file)).toBe(false);
  const { size } = statSync(opened.file);
  expect(() => exporting(opened, "SELECT 1", { file: placeOf(opened.file) })).toThrow("EEXIST");
  expect(statSync(opened.file).size).toBe(size);
});
