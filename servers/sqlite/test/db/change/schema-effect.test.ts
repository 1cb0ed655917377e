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

test.each<[sql: string, advice: string | undefined]>([
  ["CREATE TABLE n (id SERIAL PRIMARY KEY)", "id SERIAL gets no number by itself: only INTEGER PRIMARY KEY does in SQLite."],
  ["CREATE TABLE n (a, id INT IDENTITY(1,1))", "id INT IDENTITY(1,1) gets no number by itself: only INTEGER PRIMARY KEY does in SQLite."],
  [
    "CREATE TABLE n (id INTEGER AUTO_INCREMENT)",
    "id INTEGER AUTO_INCREMENT gets no number by itself: only INTEGER PRIMARY KEY does in SQLite.",
  ],
  ["CREATE TABLE n (id BIGINT PRIMARY KEY)", "id BIGINT gets no number by itself: only INTEGER PRIMARY KEY does in SQLite."],
  ["ALTER TABLE spare ADD COLUMN code STRING", "code: STRING is a numeric type in SQLite, where '007' becomes 7. Use TEXT."],
  ["CREATE TABLE n (id integer PRIMARY KEY, u BIGINT, d DECIMAL(10,2))", undefined],
  ["CREATE TABLE n (id BIGINT PRIMARY KEY) WITHOUT ROWID", undefined],
  ["CREATE TABLE n (a INT, b INT, PRIMARY KEY (a, b))", undefined],
])("advises on the types of %s", async (sql, advice) => {
  await using opened = await openEngine(SCHEMA);
  expect(change(opened, sql, { dryRun: true }).schemaChange?.advice).toBe(advice);
  expect(transact(opened, [sql]).results[0]?.schemaChange?.advice).toBe(advice);
});

test.each([
  ["CREATE VIEW v AS SELECT nope FROM a", "the view v (no such column: nope)"],
  ["CREATE VIEW v AS SELECT * FROM nowhere", "the view v (no such table: main.nowhere)"],
  ["CREATE TRIGGER u AFTER UPDATE ON a BEGIN UPDATE a SET nope = 1; END", "the trigger u (no such column: nope)"],
  ["CREATE TRIGGER u AFTER INSERT ON a WHEN new.nope = 1 BEGIN SELECT 1; END", "the trigger u (no such column: new.nope)"],
  ["CREATE TRIGGER u INSTEAD OF DELETE ON seen BEGIN DELETE FROM a WHERE nope = 1; END", "the trigger u (no such column: nope)"],
])("names what %s creates in vain", async (sql, broken) => {
  await using opened = await openEngine("CREATE TABLE a (id INTEGER PRIMARY KEY, b); CREATE VIEW seen AS SELECT b FROM a");
  expect(change(opened, sql, { dryRun: true }).broken).toEqual([broken]);
  expect(change(opened, sql).broken).toEqual([broken]);
  expect(change(opened, "CREATE TRIGGER good AFTER DELETE ON a BEGIN SELECT old.b; END").broken).toBeUndefined();
});

test.each([
  "CREATE VIEW v AS SELECT id, b AS c FROM a",
  "CREATE TRIGGER u AFTER UPDATE OF b ON a BEGIN UPDATE a SET b = new.b WHERE id = new.id; END",
  "CREATE TRIGGER u INSTEAD OF INSERT ON seen BEGIN INSERT INTO a (b) VALUES (new.b); END",
  "CREATE TABLE c (id INTEGER PRIMARY KEY)",
])("names nothing after %s", async (sql) => {
  await using opened = await openEngine("CREATE TABLE a (id INTEGER PRIMARY KEY, b); CREATE VIEW seen AS SELECT b FROM a");
  expect(change(opened, sql).broken).toBeUndefined();
});

test("names no view whose table a later statement of the transaction creates", async () => {
  await using opened = await openEngine("CREATE TABLE a (id INTEGER PRIMARY KEY)");
  expect(transact(opened, ["CREATE VIEW v AS SELECT x FROM later", "CREATE TABLE later (x)"]).broken).toBeUndefined();
  expect(transact(opened, ["CREATE VIEW w AS SELECT y FROM later"]).broken).toEqual(["the view w (no such column: y)"]);
});
