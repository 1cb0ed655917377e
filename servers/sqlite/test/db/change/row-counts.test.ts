// When the rows of tables are counted for a change, and what is known about altered rows without these counts.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { alteredRows, countOf, countRows, exceeds, NO_ROWS, type RowCounts } from "../../../src/db/change/altered-rows.ts";
import { openEngine, type OpenedEngine } from "../../support/engine.ts";

let opened: OpenedEngine;
beforeAll(async () => {
  opened = await openEngine(`
    CREATE TABLE plain (a); INSERT INTO plain VALUES (1), (2);
    CREATE TABLE "two keys" (id INTEGER PRIMARY KEY, a UNIQUE); INSERT INTO "two keys" VALUES (1, 1), (2, 2), (3, 3);
    CREATE VIRTUAL TABLE words USING fts5(body); INSERT INTO words VALUES ('a'), ('b');
    CREATE VIRTUAL TABLE sizeless USING fts5(body, content='texts', columnsize=0); CREATE TABLE texts (body); INSERT INTO texts VALUES ('a')`);
});
afterAll(() => opened[Symbol.asyncDispose]());

const allowed = (sql: string) => opened.engine.allowed(sql, "write");
const counts = (added: number, ...cleared: RowCounts["cleared"]): RowCounts => ({ added, cleared });

const UPDATE = "UPDATE plain SET a = 1";
const DELETE = "DELETE FROM plain";
const UPSERT = 'INSERT INTO "two keys" VALUES (1, 2) ON CONFLICT DO UPDATE SET a = 3';
const REPLACE = 'REPLACE INTO "two keys" VALUES (1, 2)';
const CLEAR = "INSERT INTO words (words) VALUES ('delete-all')";

test.each<[sql: string, counted: RowCounts | undefined]>([
  ["INSERT INTO plain VALUES (1)", undefined],
  [UPDATE, undefined],
  [DELETE, undefined],
  ["CREATE TABLE n AS SELECT * FROM plain", undefined],
  ["ALTER TABLE plain ADD COLUMN b DEFAULT 'REPLACE'", undefined],
  [UPSERT, counts(3)],
  [REPLACE, counts(3)],
  ['UPDATE OR REPLACE "two keys" SET a = 1', counts(3)],
  ["INSERT INTO words (words) VALUES ('optimize')", undefined],
  [CLEAR, counts(2, { count: 2, isOfTexts: false })],
  ["INSERT INTO sizeless (sizeless) VALUES ('delete-all')", counts(1, { count: 1, isOfTexts: true })],
])("needs for %s the counts %j", (sql, counted) => {
  expect(countRows(opened.engine.db, allowed(sql))).toEqual(counted);
});

describe("without counts", () => {
  test.each([
    ["INSERT INTO plain VALUES (1)", NO_ROWS],
    ["CREATE TABLE n AS SELECT * FROM plain", NO_ROWS],
    [UPDATE, { count: 5, isExact: true }],
    [DELETE, { count: 5, isExact: true }],
    [UPSERT, { count: 5, isExact: false }],
    [REPLACE, { count: 15, isExact: false }],
    [CLEAR, { count: Infinity, isExact: false }],
  ])("estimates for %s that changes five rows at most %j altered rows", (sql, altered) => {
    expect(alteredRows(allowed(sql), 5, undefined)).toEqual(altered);
  });
});

describe("with counts", () => {
  const altered = (sql: string, totalChanges: number, before: RowCounts, after: RowCounts): number => {
    const { count, isExact } = alteredRows(allowed(sql), totalChanges, { before, after });
    expect(isExact).toBe(true);
    return count;
  };

  test("reads rows beyond the growth of the tables as replaced or updated", () => {
    expect(altered(REPLACE, 5, counts(10), counts(12))).toBe(3);
    expect(altered(UPSERT, 5, counts(10), counts(15))).toBe(0);
    expect(altered(REPLACE, 0, counts(10), counts(12))).toBe(0);
  });

  test("reads rows that a command removed from an index as cleared", () => {
    const index = (count: number, isOfTexts = false) => ({ count, isOfTexts });
    expect(altered(CLEAR, 7, counts(4, index(4)), counts(0, index(1)))).toBe(3);
    expect(altered(CLEAR, 7, counts(4, index(4)), counts(0, index(6)))).toBe(0);
    expect(altered(CLEAR, 7, counts(4, index(4, true)), counts(0, index(4, true)))).toBe(4);
    expect(altered(CLEAR, 7, counts(4, index(4), index(2)), counts(0, index(4)))).toBe(2);
    expect(altered("INSERT INTO words (words) VALUES ('optimize')", 7, counts(1), counts(1))).toBe(0);
  });
});

test("applies the limit only to more altered rows", () => {
  const exceeding = (count: number, maxChanges: number | null) => exceeds({ count, isExact: true }, { maxChanges });
  expect([exceeding(5, 4), exceeding(5, 5), exceeding(5, null), exceeding(Infinity, null)]).toEqual([true, false, false, false]);
  expect(countOf(opened.engine.db, "two keys")).toBe(3);
});
