// --audit: the lines of SQL calls name what they change.
import { expect, test } from "vitest";
import { auditedNames } from "../src/audited-names.ts";

test.each<[string, unknown, string[]]>([
  ["write_query", { query: "WITH x AS (SELECT 1) INSERT OR IGNORE INTO main.orders SELECT 'secret'" }, ["shop", "orders"]],
  ["write_query", { query: "UPDATE OR ROLLBACK \"big table\" SET a = 'secret'" }, ["shop", "big table"]],
  ["write_query", { query: "DELETE FROM orders WHERE name = 'secret'", database: "other" }, ["other", "orders"]],
  ["write_query", { query: "DROP TABLE IF EXISTS orders" }, ["shop", "orders"]],
  ["write_query", { query: "ALTER TABLE orders RENAME TO past" }, ["shop", "orders"]],
  ["create_table", { query: "CREATE TABLE IF NOT EXISTS t (a)" }, ["shop", "t"]],
  ["run_transaction", { statements: [{ query: "DELETE FROM a" }, { query: "INSERT INTO b VALUES (1)" }, null] }, ["shop", "a", "b"]],
  ["import_csv", { path: "a.csv", table: "a" }, ["shop"]],
  ["write_query", { query: "ATTACH 'secret' AS x" }, ["shop"]],
  ["write_query", { query: ["secret"], database: 7 }, ["shop"]],
  ["write_query", undefined, ["shop"]],
  ["append_insight", { insight: "secret" }, []],
])("finds the names in %s %j", (tool, args, names) => {
  expect(auditedNames([{ name: "shop" }])(tool, args)).toEqual(names);
});

test("finds the last of many statements", () => {
  const statements = [...Array.from({ length: 100 }, () => ({ query: "DELETE FROM a" })), { query: "DELETE FROM payroll" }];
  expect(auditedNames([{ name: "shop" }])("run_transaction", { statements })).toContain("payroll");
});

test("names no database when several are served and the call names none", () => {
  expect(auditedNames([{ name: "a" }, { name: "b" }])("write_query", { query: "DELETE FROM t" })).toEqual(["t"]);
});
