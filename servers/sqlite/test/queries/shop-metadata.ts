// Queries of a shop, in a Datasette metadata file.
import type { Server } from "@oarlock/server-kit";
import { connectTo, type ConnectToOptions, type Target } from "@oarlock/testing";
import { expect } from "vitest";
import { text } from "../support/shop.ts";

export const METADATA = {
  title: "A shop, for Datasette",
  databases: {
    shop: {
      tables: { orders: { sort: "placed" } },
      queries: {
        customer_names: "SELECT name FROM customers ORDER BY id",
        orders_of: {
          sql: "SELECT orders.id, total FROM orders JOIN customers ON customers.id = customer_id WHERE name = :name AND total >= :least ORDER BY orders.id LIMIT :limit",
          title: "Orders of a customer",
          description: "The orders of one customer.",
          hide_sql: true,
          params: [
            { name: "least", type: "number", description: "The least total", default: 0 },
            "name",
            { name: "limit", type: "integer", default: 100 },
          ],
        },
        kinds: {
          sql: "SELECT typeof(:text), typeof(@whole), typeof($part), :yes, :none IS NULL -- not :this, nor ':that'",
          params: {
            whole: { type: "integer" },
            part: { type: "number" },
            yes: { type: "boolean", default: true },
            none: { type: "integer", default: null },
          },
        },
        numbers: {
          sql: "WITH RECURSIVE c(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM c WHERE i < 250) SELECT i FROM c WHERE i > :above",
          params: { above: { type: "integer" } },
        },
        endless: "WITH RECURSIVE c(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM c) SELECT count(*) FROM c",
        columns_of: "PRAGMA table_info(orders)",
        stale: "SELECT * FROM custmers",
        add_customer: { sql: "INSERT INTO customers (name) VALUES (:name)", write: true },
      },
    },
  },
};

/** Expects the rows of one query and the error of another. */
export async function expectRowsAndErrors(target: Server | Target["command"], options: ConnectToOptions): Promise<void> {
  await using peer = await connectTo(target, options);
  const result = await peer.client.call("orders_of", { name: "Grace" });
  expect(JSON.parse(text(result))).toEqual([{ id: 3, total: 100 }]);
  expect(await peer.client.call("stale")).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining("did you mean customers?") }],
  });
  expect(peer.faults).toEqual([]);
}
