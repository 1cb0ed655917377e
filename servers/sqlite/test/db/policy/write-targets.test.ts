// What a statement writes to, by its tokens.
import { expect, test } from "vitest";
import { changeTarget, checkWriteTarget, insertTarget } from "../../../src/db/policy/write-targets.ts";
import { parseStatement } from "../../../src/db/sql/statement.ts";

const SHADOWS = new Set(["texts_data"]);
const check = (sql: string): void => checkWriteTarget(parseStatement(sql), SHADOWS);

test.each([
  ["INSERT INTO my_sqlite_notes VALUES (1)"],
  ["INSERT INTO t VALUES ('sqlite_sequence')"],
  ["UPDATE t SET a = 'texts_data'"],
  ["DELETE FROM t WHERE a OR NOT sqlite_version()"],
  ["CREATE TABLE temporary (virtual)"],
  ["CREATE VIRTUAL TABLE using_it USING rtree (a, b, c)"],
  ["INSERT INTO t (temp) SELECT 1"],
])("allows %s", (sql) => {
  expect(() => check(sql)).not.toThrow();
});

const MODULES = "Invalid virtual table: expected one of the modules fts5, fts4, fts3, rtree, rtree_i32, geopoly, fts5vocab.";

test.each([
  ["UPDATE OR IGNORE main.sqlite_sequence SET seq = 0", "sqlite_sequence belongs to SQLite itself"],
  ["CREATE TABLE IF NOT EXISTS sqlite_x (a)", "sqlite_x belongs to SQLite itself"],
  ["INSERT INTO t SELECT * FROM Texts_Data", "Texts_Data belongs to a virtual table"],
  ["INSERT INTO 'texts_data' VALUES (1)", "texts_data belongs to a virtual table"],
  ["CREATE TEMP TABLE x (a)", "Temporary objects are not allowed"],
  ["CREATE TEMPORARY VIEW x AS SELECT 1", "Temporary objects are not allowed"],
  ["CREATE VIRTUAL TABLE x USING csv(a)", MODULES],
  ["CREATE VIRTUAL TABLE fts5", MODULES],
  ["CREATE VIRTUAL TABLE x USING (fts5)", MODULES],
  ["CREATE VIRTUAL TABLE x USING", MODULES],
  ["WITH using AS (SELECT 1) CREATE VIRTUAL TABLE x USING csv(a)", MODULES],
])("refuses %s", (sql, message) => {
  expect(() => check(sql)).toThrow(message);
});

test.each([
  ["DELETE FROM t", "t", undefined],
  ["DELETE FROM main.t WHERE a", "t", undefined],
  ["UPDATE t SET a = 1", "t", undefined],
  ['UPDATE main."a b" SET a = 1', "a b", undefined],
  ["UPDATE OR REPLACE t SET a = 1", "t", undefined],
  ["WITH x AS (SELECT 1) UPDATE t SET a = 1", "t", undefined],
  ["INSERT INTO t VALUES (1)", "t", "t"],
  ["INSERT OR IGNORE INTO main.t VALUES (1)", "t", "t"],
  ["REPLACE INTO t VALUES (1)", "t", "t"],
  ["WITH x AS (SELECT 1 AS into_x) INSERT INTO t SELECT * FROM x", "t", "t"],
  ["CREATE TRIGGER x AFTER INSERT ON t BEGIN INSERT INTO u VALUES (1); END", undefined, undefined],
  ["DELETE FROM", undefined, undefined],
  ["SELECT 1", undefined, undefined],
])("finds that %s changes %s and adds to %s", (sql, changed, addedTo) => {
  expect([changeTarget(parseStatement(sql)), insertTarget(parseStatement(sql))]).toEqual([changed, addedTo]);
});
