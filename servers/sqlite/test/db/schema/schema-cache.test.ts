// The cache of the schema: a change is never missed.
import Database from "better-sqlite3";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { columnNamesOf } from "../../../src/db/schema/schema-pragmas.ts";
import { allTables } from "../../../src/db/schema/table-list.ts";

function twoConnections(at: string): [writing: Database.Database, reading: Database.Database] {
  const writing = new Database(at);
  writing.exec("CREATE TABLE a (x)");
  return [writing, new Database(at, { readonly: true })];
}

const tablesOf = (db: Database.Database): string[] => allTables(db).map(({ name }) => name);

test("sees tables and columns that another connection has added", async () => {
  await using folder = tempFolder({});
  const [writing, reading] = twoConnections(folder.at("d.db"));
  expect([tablesOf(reading), columnNamesOf(reading, "a")]).toEqual([["a", "sqlite_schema"], ["x"]]);
  writing.exec("ALTER TABLE a ADD y; CREATE TABLE b (z)");
  expect([tablesOf(reading), columnNamesOf(reading, "a")]).toEqual([
    ["a", "b", "sqlite_schema"],
    ["x", "y"],
  ]);
  for (const db of [writing, reading]) db.close();
});

test("reads the schema once while it is the same", async () => {
  await using folder = tempFolder({});
  const [writing, reading] = twoConnections(folder.at("d.db"));
  expect(allTables(reading)).toBe(allTables(reading));
  for (const db of [writing, reading]) db.close();
});

test("sees other columns under the version of a change that was rolled back", async () => {
  await using folder = tempFolder({});
  const [writing, reading] = twoConnections(folder.at("d.db"));
  writing.exec("BEGIN; ALTER TABLE a ADD y");
  expect(columnNamesOf(writing, "a")).toEqual(["x", "y"]);
  writing.exec("ROLLBACK; ALTER TABLE a ADD z");
  expect(columnNamesOf(writing, "a")).toEqual(["x", "z"]);
  for (const db of [writing, reading]) db.close();
});
