// One call of each outcome: a read, a write, an error, a refused change and a cancellation.
import { connectTo, type ConnectToOptions, type Target } from "@oarlock/testing";
import { expect } from "vitest";
import { rowsOf } from "./databases.ts";
import { text } from "./shop.ts";

/** The first revision with structured content. */
const STRUCTURED_SINCE = "2025-06-18";

/** Expects the right result of each, from a server of the shop. */
export async function expectEveryOutcome(
  file: string,
  target: Target,
  options: ConnectToOptions & { readonly revision: string },
): Promise<void> {
  const { revision } = options;
  await using wired = await connectTo(target, options);
  const { client } = wired;
  const read = await client.call("read_query", { query: "SELECT name FROM customers WHERE id = ?", params: [1] });
  expect(JSON.parse(text(read))).toEqual([{ name: "Ada" }]);
  expect(read.structuredContent === undefined).toBe(revision < STRUCTURED_SINCE);
  if (revision >= STRUCTURED_SINCE) expect(read.structuredContent).toMatchObject({ rows: [["Ada"]] });

  const write = await client.call("write_query", { query: "INSERT INTO orders (customer_id) VALUES (2) RETURNING id" });
  const [{ id }] = JSON.parse(text(write)) as [{ id: number }];
  expect(rowsOf(file, "SELECT customer_id FROM orders WHERE id = ?", id)).toEqual([[2]]);

  expect(await client.call("read_query", { query: "SELECT * FROM custmers" })).toEqual({
    content: [{ type: "text", text: "no such table: custmers; did you mean customers?" }],
    isError: true,
  });
  expect(text(await client.call("write_query", { query: "DROP TABLE orders" }))).toContain("--allow-destructive");

  const bomb = "WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";
  const cancel = new AbortController();
  const endless = client.call("read_query", { query: bomb }, { signal: cancel.signal });
  endless.catch(() => undefined); // asserted below
  const meanwhile = await client.call("read_query", { query: "SELECT 1 AS one" });
  expect(text(meanwhile)).toBe('[{"one":1}]');
  cancel.abort();
  await expect(endless).rejects.toThrow(/abort|cancel/i);
  expect(wired.faults).toEqual([]);
}
