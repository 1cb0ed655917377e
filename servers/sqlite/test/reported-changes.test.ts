// The audit file begins with what a call has changed (L6): every table that a statement reaches, wherever its name stands.
import { realpathSync, writeFileSync } from "node:fs";
import { reportedChanges } from "@oarlock/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openShop, type Shop } from "./support/shop.ts";

const SQL = `CREATE TABLE orders (id INTEGER PRIMARY KEY, a); CREATE TABLE logged (a); INSERT INTO orders VALUES (1, 1), (2, 2);
  CREATE TABLE items (a REFERENCES orders ON DELETE CASCADE); INSERT INTO items VALUES (1);
  CREATE TRIGGER noted AFTER UPDATE ON orders BEGIN INSERT INTO logged VALUES (new.a); END;`;
const LONG = `/* ${"x".repeat(20_000)} */`;

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ sql: SQL, confirmAbove: 0 });
});
afterAll(() => shop[Symbol.asyncDispose]());

test.each<[tool: string, args: object, names: string[]]>([
  ["write_query", { query: "INSERT INTO orders (a) VALUES ('secret')" }, ["orders"]],
  ["write_query", { query: `${LONG} INSERT INTO logged VALUES (1)` }, ["logged"]],
  ["write_query", { query: "CREATE TABLE IF NOT EXISTS made (a)" }, ["made"]],
  ["write_query", { query: "ALTER TABLE made RENAME TO done" }, ["done", "made"]],
  ["create_table", { query: "CREATE TABLE created (a)" }, ["created"]],
  [
    "run_transaction",
    {
      statements: [
        { query: "SELECT * FROM items" },
        { query: "INSERT INTO logged VALUES (1)" },
        { query: `${LONG} INSERT INTO done VALUES (1)` },
      ],
    },
    ["done", "logged"],
  ],
  ["import_csv", { path: "in.csv", table: "logged" }, ["logged"]],
  ["write_query", { query: "INSERT INTO orders (a) VALUES (1)", dry_run: true }, []],
  ["import_csv", { path: "in.csv", table: "logged", dry_run: true }, []],
  ["run_transaction", { statements: [{ query: "INSERT INTO logged VALUES (1)" }], dry_run: true }, []],
])("%s reports the tables that it changes", async (tool, args, names) => {
  writeFileSync(shop.folder.at("in.csv"), "a\n1\n");
  const reported = await reportedChanges(() => shop.call(tool, { ...args }));
  expect(reported.sort()).toEqual(names.length === 0 ? [] : [...names, "shop"].sort());
});

test("reports the tables of triggers and foreign keys, and nothing that the user declined", async () => {
  expect(await reportedChanges(() => shop.client.call("write_query", { query: "DELETE FROM orders WHERE id = 1" }))).toEqual([]);
  await using willing = await openShop({ sql: SQL, allowDestructive: true });
  const changed = async (query: string): Promise<string[]> => (await reportedChanges(() => willing.call("write_query", { query }))).sort();
  expect(await changed("UPDATE orders SET a = 3 WHERE id = 2")).toEqual(["logged", "orders", "shop"]);
  expect(await changed("DELETE FROM orders WHERE id = 1")).toEqual(["items", "orders", "shop"]);
});

test.each([
  ["export_query", { query: "SELECT 1", path: "./out.csv" }, "out.csv"],
  ["backup_database", { path: "./copy.db" }, "copy.db"],
])("%s reports the real path of its file", async (tool, args, name) => {
  expect(await reportedChanges(() => shop.call(tool, args))).toEqual([`${realpathSync(shop.folder.path)}/${name}`]);
});
