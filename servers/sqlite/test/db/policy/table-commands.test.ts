// Commands to full-text tables, found in the text of statements and triggers.
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { commandsIn, commandsInTriggers } from "../../../src/db/policy/table-commands.ts";
import { tokensOf } from "../../../src/db/sql/tokens.ts";

const commands = (sql: string): unknown => commandsIn(tokensOf(sql)).map(({ table, mayRemoveRows }) => [table, mayRemoveRows]);

test.each(
  "automerge crisismerge deletemerge flush hashsize integrity-check merge optimize pgsz rank rebuild secure-delete usermerge".split(" "),
)("finds that the command %s removes no rows", (command) => {
  expect(commands(`INSERT INTO t(t) VALUES('${command}')`)).toEqual([["t", false]]);
  expect(commands(`INSERT INTO t(t, rank) VALUES('${command}', 4)`)).toEqual([["t", false]]);
});

test.each([
  ["INSERT INTO t(t) VALUES ('delete-all')", "t"],
  ["INSERT INTO T(t) VALUES ('delete-all')", "T"],
  ['INSERT INTO "my words"("My Words") VALUES (\'delete-all\')', "my words"],
  ["INSERT INTO main.t(t) VALUES ('delete-all')", "t"],
  ["INSERT INTO t AS x (t) VALUES ('delete-all')", "t"],
  ["INSERT INTO main.t AS x (t) VALUES ('delete-all')", "t"],
  ["INSERT INTO t(t, rowid, a) VALUES ('delete', 1, 'x')", "t"],
  ["INSERT INTO t(rowid, t) VALUES (1, 'optimize')", "t"],
  ["INSERT INTO t(t) VALUES (?)", "t"],
  ["INSERT INTO t(t) VALUES (optimize)", "t"],
  ["INSERT INTO t(t) VALUES ('opti' || 'mize')", "t"],
  ["INSERT INTO t(t) VALUES ('OPTIMIZE')", "t"],
  ["INSERT INTO t(t) VALUES ('optimize'), ('delete-all')", "t"],
  ["INSERT INTO t(t, rank) VALUES ('merge', abs(4)), ('delete-all', 1)", "t"],
  ["INSERT INTO t(t) SELECT 'optimize'", "t"],
  ["INSERT INTO t(t) VALUES", "t"],
  ["INSERT INTO t(t", "t"],
])("finds that %s may remove rows of %s", (sql, table) => {
  expect(commands(sql)).toEqual([[table, true]]);
});

test.each([
  "INSERT INTO t VALUES ('delete-all')",
  "INSERT INTO t(a, b) VALUES ('delete-all', 't')",
  "INSERT INTO t(a) SELECT t FROM t",
  "INSERT INTO t AS a (b) VALUES ('t')",
  "UPDATE t SET t = 'delete-all'",
  "INSERT INTO t",
  "INSERT INTO",
])("finds no command in %s", (sql) => {
  expect(commands(sql)).toEqual([]);
});

test("completes a command with a value in brackets at the end of its row", () => {
  expect(commands("INSERT INTO t(t, rank) VALUES ('merge', abs((4)))")).toEqual([["t", false]]);
});

test("checks each INSERT of a text", () => {
  expect(
    commands("BEGIN INSERT INTO a(a) VALUES ('flush'); INSERT INTO b(x) VALUES (1); INSERT INTO c(c) VALUES ('delete-all'); END"),
  ).toEqual([
    ["a", false],
    ["c", true],
  ]);
});

test("finds in triggers that the command which takes a row out of an index removes no rows", () => {
  const db = new Database(":memory:");
  db.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, a); CREATE VIRTUAL TABLE idx USING fts5(a, content='t');
    CREATE TRIGGER gone AFTER DELETE ON t BEGIN INSERT INTO idx(idx, rowid, a) VALUES ('delete', old.id, old.a); END;
    CREATE TRIGGER cleared AFTER INSERT ON t BEGIN INSERT INTO idx(idx) VALUES ('delete-all'); INSERT INTO idx(idx) VALUES ('flush'); END;
    CREATE TABLE "INSERT INTO x(x)" (a)`);
  expect(commandsInTriggers(db).map(({ mayRemoveRows }) => mayRemoveRows)).toEqual([false, true, false]);
  db.close();
});
