// What CREATE, ALTER and DROP create or remove, by their tokens.
import { expect, test } from "vitest";
import { createdOrDropped, droppedBy } from "../../../src/db/policy/schema-change.ts";
import { parseStatement } from "../../../src/db/sql/statement.ts";

test.each([
  ["DROP TABLE t", "the table t"],
  ["DROP VIEW IF EXISTS main.v", "the view v"],
  ["DROP INDEX t_n", "the index t_n"],
  ['DROP TRIGGER "a b"', "the trigger a b"],
  ["ALTER TABLE t DROP COLUMN n", "the column n of t"],
  ["ALTER TABLE main.t DROP n", "the column n of t"],
  ["ALTER TABLE t DROP column", "the column column of t"],
  ["ALTER TABLE t DROP CONSTRAINT positive", "the constraint positive of t"],
  ["ALTER TABLE t ALTER COLUMN n DROP NOT NULL", "the NOT NULL of the column n of t"],
  ['ALTER TABLE t RENAME COLUMN "drop" TO n', undefined],
  ["ALTER TABLE t ADD COLUMN n", undefined],
  ["DELETE FROM t", undefined],
  ["CREATE TABLE x (a)", undefined],
  ["CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT drop FROM t; END", undefined],
  ["ALTER", undefined],
  ["DROP", "the  "],
])("finds that %s removes %s", (sql, expected) => {
  expect(droppedBy(parseStatement(sql))).toBe(expected);
});

test.each([
  ["CREATE TABLE IF NOT EXISTS main.x (a)", "TABLE", "x"],
  ["CREATE TEMP TABLE x (a)", "TABLE", "x"],
  ["CREATE TEMPORARY VIEW x AS SELECT 1", "VIEW", "x"],
  ["CREATE UNIQUE INDEX x ON t (a)", "INDEX", "x"],
  ["CREATE VIRTUAL TABLE IF NOT EXISTS x USING fts5(a)", "VIRTUAL TABLE", "x"],
  ["DROP TABLE IF EXISTS x", "TABLE", "x"],
  ["drop view x", "VIEW", "x"],
])("finds that %s names the %s %s", (sql, kind, name) => {
  expect(createdOrDropped(parseStatement(sql))).toEqual({ kind, name });
});
