// Tables derived from their statements: the same tables, kinds and options that SQLite reports.
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { allTables } from "../../../src/db/schema/table-list.ts";
import { SHOP } from "../../support/databases.ts";

const ODD = `
  CREATE TABLE plain (a INT PRIMARY KEY) STRICT, WITHOUT ROWID -- )
  ;
  CREATE TABLE strict (without, "rowid" TEXT DEFAULT ')', "strict" INT);
  CREATE TABLE w (a PRIMARY KEY, b) /* ( */ WITHOUT /* ) */ ROWID /* ) STRICT */;
  CREATE TABLE s (a INT, CHECK (a <> ') STRICT')) strict;
  CREATE TABLE virtual_strict ("CREATE VIRTUAL TABLE");
  CREATE TABLE copied AS SELECT 1 AS "WITHOUT ROWID", 2 AS STRICT;
  CREATE VIRTUAL TABLE IF NOT EXISTS main.[Using] /* USING rtree */ USING "FTS5" (a, content='');
  CREATE VIRTUAL TABLE older USING fts4(b); CREATE VIRTUAL TABLE oldest USING fts3(b);
  CREATE VIRTUAL TABLE boxes USING rtree(id, low, high); CREATE VIRTUAL TABLE whole USING rtree_i32(id, low, high);
  CREATE VIRTUAL TABLE shapes USING geopoly(a); CREATE VIRTUAL TABLE words USING fts5vocab(Using, row);
  CREATE TABLE USING_DATAS (a); CREATE TABLE plain_data (a); CREATE TABLE boxes_content (a); CREATE TABLE a_boxes_node (a);
  CREATE TABLE older_x_content (a); CREATE VIEW older_view AS SELECT 1; CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT);
`;

test("allTables returns the kinds and options of PRAGMA table_list", () => {
  using db = Object.assign(new Database(":memory:"), { [Symbol.dispose]: () => undefined });
  db.exec(SHOP + ODD);
  const listed = (db.pragma("main.table_list") as { schema: string; name: string; type: string; wr: number; strict: number }[])
    .filter(({ schema }) => schema === "main")
    .map(({ name, type, wr, strict }) => ({ name, type, withoutRowid: wr === 1, strict: strict === 1 }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  expect(allTables(db)).toEqual(listed);
  db.close();
});
