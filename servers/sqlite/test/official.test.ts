// The official SDK's client, which checks every structured result against the tool's output schema.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { linkMemory } from "@oarlock/server-kit";
import { tempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeDatabase, SHOP } from "./support/databases.ts";
import { targetOf } from "./support/target.ts";

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

/** The official client's end of a connection in memory. */
class MemoryTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  readonly #wire: ReturnType<typeof linkMemory>;

  constructor(wire: ReturnType<typeof linkMemory>) {
    this.#wire = wire;
  }

  async start(): Promise<void> {
    this.#wire.onText = (message) => this.onmessage?.(JSON.parse(message) as JSONRPCMessage); // the client checks it
    this.#wire.onClose = () => this.onclose?.();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#wire.send(JSON.stringify(message));
  }

  async close(): Promise<void> {
    await this.#wire.close();
  }
}

const folder = tempFolder();
const files = ["shop.db", "other.db"].map((name) => makeDatabase(folder.at(name), SHOP));
const client = new Client({ name: "official", version: "1" });
beforeAll(async () => {
  await client.connect(new MemoryTransport(linkMemory(targetOf({ files, insights: () => folder.at("notes") }).server())));
  // With the list the client has the output schemas.
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).toSorted()).toEqual([...new Set(CALLS.map(([name]) => name))].toSorted());
});
afterAll(async () => {
  await client.close();
  await folder[Symbol.asyncDispose]();
});

test.each(CALLS)("satisfies its output schema in the official client with the result of %s: %j", async (name, given) => {
  const database = name === "list_databases" || name === "append_insight" ? {} : { database: "shop" };
  const result = await client.callTool({ name, arguments: { ...given, ...database } });
  expect(result, JSON.stringify(result.content)).toMatchObject({ structuredContent: expect.any(Object) });
});
