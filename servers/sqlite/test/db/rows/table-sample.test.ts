// The first rows of a table: their values, and what is read of long ones.
import { expect, test } from "vitest";
import { sampleRows } from "../../../src/db/rows/table-sample.ts";
import { openEngine } from "../../support/engine.ts";

const LIMITS = { maxRows: 5, maxBytes: 60_000, maxTextLength: 50, maxBlobBytes: 20 };

async function sampled(sql: string, table = "t"): Promise<{ rows: unknown; clipped: unknown }> {
  await using opened = await openEngine(sql);
  const parts: string[] = [];
  const output = { arrays: (json: string) => void parts.push(json), objects: () => undefined, restart: () => undefined };
  const { clipped } = sampleRows(opened.engine.db, table, LIMITS, output);
  return { rows: JSON.parse(`[${parts.join("")}]`), clipped };
}

test("keeps values of every kind", async () => {
  const { rows, clipped } = await sampled(
    `CREATE TABLE t (i INTEGER, r REAL, s TEXT, b BLOB, "a ""b""" ANY); INSERT INTO t VALUES (9007199254740993, 1.0, 'ä', x'01ff', NULL), ('x', 2.5, '', x'', 3)`,
  );
  expect(rows).toEqual([
    ["9007199254740993", 1, "ä", { bytes: 2, base64: "Af8=" }, null],
    ["x", 2.5, "", { bytes: 0, base64: "" }, 3],
  ]);
  expect(clipped).toEqual([]);
});

test("gives the beginning of long values, with their full lengths", async () => {
  const { rows, clipped } = await sampled(
    `CREATE TABLE t (s TEXT, b BLOB); INSERT INTO t VALUES (printf('%.60c', 'x'), zeroblob(30)), (printf('%.2000c', 'y'), zeroblob(3000)), (replace(printf('%.50c', 'z'), 'z', 'ä'), NULL)`,
  );
  expect(rows).toEqual([
    [`${"x".repeat(50)}…`, { bytes: 30, base64: Buffer.alloc(20).toString("base64") }],
    [`${"y".repeat(50)}…`, { bytes: 3000, base64: Buffer.alloc(20).toString("base64") }],
    ["ä".repeat(50), null],
  ]);
  expect(clipped).toEqual([
    { row: 0, column: "s", length: 60 },
    { row: 0, column: "b", length: 30 },
    { row: 1, column: "s", length: 2000 },
    { row: 1, column: "b", length: 3000 },
  ]);
});

test("reads nothing of values beyond a megabyte", async () => {
  const { rows, clipped } = await sampled(
    `CREATE TABLE t (s TEXT, b BLOB); INSERT INTO t VALUES (printf('%.1000001c', 'x'), zeroblob(1000001)); CREATE VIEW v AS SELECT * FROM t`,
    "v",
  );
  expect(rows).toEqual([["…", { bytes: 1_000_001, base64: "" }]]);
  expect(clipped).toMatchObject([{ length: 1_000_001 }, { length: 1_000_001 }]);
});

test("gives the rows of a table of two thousand columns", async () => {
  const names = Array.from({ length: 2000 }, (_, index) => `c${index}`);
  const { rows } = await sampled(`CREATE TABLE t (${names.join(", ")}); INSERT INTO t (c0, c1999) VALUES (1, 2)`);
  expect(rows).toMatchObject([{ 0: 1, 1999: 2 }]);
});
