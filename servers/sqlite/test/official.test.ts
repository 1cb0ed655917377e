// The official SDK's client, which checks every structured result against the tool's output schema.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { makeDatabase, SHOP } from "./support/databases.ts";
import { bin } from "./support/target.ts";

const CALLS: readonly (readonly [string, Record<string, unknown>])[] = [
  ["read_query", { query: "SELECT * FROM customers" }],
  ["read_query", { query: "SELECT * FROM customers", limit: 1 }],
  ["write_query", { query: "UPDATE orders SET total = 1 WHERE id = 1" }],
  ["write_query", { query: "INSERT INTO orders (customer_id) VALUES (1) RETURNING id", dry_run: true }],
  ["run_transaction", { statements: [{ query: "SELECT 1" }, { query: "DELETE FROM orders WHERE id = 3" }] }],
  ["create_table", { query: "CREATE TABLE items (a)" }],
  ["list_tables", { detail: "full" }],
  ["describe_table", { table_name: "orders", sample_rows: 2 }],
  ["explain_query", { query: "SELECT * FROM orders WHERE total > 1" }],
  ["search_text", { query: "ada" }],
  ["check_database", {}],
  ["list_databases", {}],
  ["append_insight", { insight: "noted" }],
  ["export_query", { query: "SELECT * FROM customers", path: "out.csv" }],
  ["import_csv", { path: "out.csv", table: "again", create: true }],
  ["backup_database", { path: "copy.db" }],
];

test("every result satisfies the output schema in the official client", async () => {
  await using folder = tempFolder();
  const files = [makeDatabase(folder.at("shop.db"), SHOP), makeDatabase(folder.at("other.db"), SHOP)];
  const { command, args = [] } = bin(["--read-write", "--toolsets=default,files", `--insights=${folder.at("notes")}`, ...files]);
  const client = new Client({ name: "official", version: "1" });
  await client.connect(new StdioClientTransport({ command, args: [...args], stderr: "ignore" }));
  try {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual([...new Set(CALLS.map(([name]) => name))].toSorted());
    for (const [name, given] of CALLS) {
      const database = name === "list_databases" || name === "append_insight" ? {} : { database: "shop" };
      const result = await client.callTool({ name, arguments: { ...given, ...database } });
      expect(result, JSON.stringify(result.content)).toMatchObject({ structuredContent: expect.any(Object) });
    }
  } finally {
    await client.close();
  }
});
