// --audit: the lines of SQL calls name what they change, and the rounds of one call are joined.
import { accept, connectTo, decline, scriptUser, tempFolder } from "@oarlock/testing";
import { expect, test, vi } from "vitest";
import { auditedNames } from "../src/audited-names.ts";
import { makeDatabase } from "./support/databases.ts";
import { bin } from "./support/target.ts";

vi.setConfig({ testTimeout: 60_000 });

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

test("names no database where several are served and none is given", () => {
  expect(auditedNames([{ name: "a" }, { name: "b" }])("write_query", { query: "DELETE FROM t" })).toEqual(["t"]);
});

test("joins the line of a question to the line of its outcome, in the newest revision", async () => {
  await using folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), "CREATE TABLE orders (a); INSERT INTO orders VALUES (1), (2), (3)");
  const user = scriptUser([decline, accept({ confirm: true })]);
  {
    // A call that becomes a task on a slow machine has one line.
    const command = bin(["--read-write", "--task-after", "0", "--confirm-above", "1", "--audit", folder.at("audit.jsonl"), file]);
    await using wired = await connectTo(command, { revision: "2026-07-28", ...user.handlers });
    for (const query of ["DELETE FROM orders", "DELETE FROM orders", "INSERT INTO orders VALUES (4)"])
      await wired.client.call("write_query", { query });
  }
  user.done();
  const lines = folder.read("audit.jsonl").trimEnd().split("\n");
  const entries = lines.map((line) => JSON.parse(line) as { outcome: string; call?: string; touched: string[] }); // the format under test
  expect(entries.map(({ outcome }) => outcome)).toEqual(["asked", "failed", "asked", "done", "done"]);
  for (const { touched } of entries) expect(touched).toEqual(["shop", "orders"]);
  const [first, declined, second, accepted, single] = entries.map(({ call }) => call);
  expect([declined, accepted, single]).toEqual([first, second, undefined]);
  expect(first).toMatch(/^[\da-f-]{36}$/);
  expect(second).not.toBe(first);
});
