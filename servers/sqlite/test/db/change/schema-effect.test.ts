// What a change of the schema breaks: views, triggers and foreign keys of a dropped table, and full-text tables without their content.
import { describe, expect, test } from "vitest";
import { change, openEngine, transact } from "../../support/engine.ts";

const SCHEMA = `
  CREATE TABLE texts (id INTEGER PRIMARY KEY, body, note); INSERT INTO texts VALUES (1, 'a', 'n');
  CREATE VIRTUAL TABLE found USING fts5(body, content='texts', content_rowid='id');
  CREATE TABLE gone (body); CREATE VIRTUAL TABLE lost USING fts5(body, content='gone'); DROP TABLE gone;
  CREATE VIEW v AS SELECT * FROM texts; CREATE TABLE spare (a);
`;
const FOUND = expect.stringMatching(/^the full-text table found, which reads .*texts/) as string;

describe("names the objects that a change breaks", () => {
  test.each<[sql: string, broken: unknown]>([
    ["DROP TABLE texts", expect.arrayContaining([FOUND, expect.stringContaining("v")])],
    ["ALTER TABLE texts RENAME TO moved", [FOUND]],
    ["ALTER TABLE texts RENAME COLUMN body TO words", [FOUND]],
    ["ALTER TABLE texts RENAME COLUMN note TO remark", undefined],
    ["ALTER TABLE texts ADD COLUMN more", undefined],
    ["DROP TABLE spare", undefined],
    ["DROP TABLE IF EXISTS none", undefined],
    ["DROP VIEW v", undefined],
    ["DROP TABLE lost", undefined],
    ["CREATE TABLE other (a)", undefined],
    ["CREATE TABLE IF NOT EXISTS spare (a)", undefined],
    ["CREATE VIRTUAL TABLE new USING fts5(body, content='nowhere')", undefined],
  ])("by %s", async (sql, broken) => {
    await using opened = await openEngine(SCHEMA);
    expect(change(opened, sql, { dryRun: true }).broken).toEqual(broken);
    expect(transact(opened, [sql], { dryRun: true }).broken).toEqual(broken);
  });
});

test.each([
  [["DROP TABLE texts", "CREATE TABLE texts (id INTEGER PRIMARY KEY, body, note)"], undefined],
  [["ALTER TABLE texts RENAME COLUMN body TO words", "ALTER TABLE texts RENAME COLUMN words TO body"], undefined],
  [["ALTER TABLE texts RENAME TO moved", "ALTER TABLE moved RENAME TO other"], [FOUND]],
  [["ALTER TABLE texts RENAME TO moved", "DROP TABLE found"], undefined],
  [["DROP VIEW v", "DROP TABLE texts"], [FOUND]],
])("at the end of a transaction %j breaking %j", async (queries, broken) => {
  await using opened = await openEngine(SCHEMA);
  expect(transact(opened, queries, { dryRun: true }).broken).toEqual(broken);
});

test("and states whether the change was done", async () => {
  await using opened = await openEngine(SCHEMA);
  const done = (sql: string): unknown => change(opened, sql, { dryRun: true }).schemaChange?.isDone;
  expect([done("DROP TABLE spare"), done("DROP TABLE IF EXISTS none"), done("CREATE TABLE IF NOT EXISTS spare (a)")]).toEqual([
    true,
    false,
    false,
  ]);
  expect(done("INSERT INTO spare VALUES (1)")).toBeUndefined();
});
