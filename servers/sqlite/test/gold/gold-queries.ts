// Runs a query through read_query and beside it through node:sqlite, which reads texts in double quotes as most programs do.
import type { DatabaseSync } from "node:sqlite";
import type { Json } from "@oarlock/server-kit/protocol";
import type { TestConnection } from "@oarlock/testing";
import { text } from "../support/shop.ts";

export type Outcome = { readonly columns: readonly string[]; readonly rows: readonly unknown[][] } | { readonly error: string };

/** Rows on a page, so that most results have several. */
const PAGE_ROWS = 7;
const MAX_PAGES = 500;

/** Every page of a result, as one. */
export async function askServer({ client }: TestConnection, args: Json & { readonly query: string }): Promise<Outcome> {
  const rows: unknown[][] = [];
  let columns: string[] = [];
  let cursor: string | undefined;
  let limit = PAGE_ROWS;
  for (let page = 0; page < MAX_PAGES; page++) {
    const reply = await client.call("read_query", { ...args, limit, ...(cursor !== undefined && { cursor }) });
    if (reply.isError === true) return { error: text(reply) };
    const result = reply.structuredContent as Json & { columns: { name: string }[]; rows: unknown[][]; nextCursor?: string };
    columns = result.columns.map(({ name }) => name);
    rows.push(...result.rows);
    cursor = result.nextCursor;
    if (cursor === undefined) return { columns, rows };
    limit *= 2;
  }
  throw new Error(`more than ${MAX_PAGES} pages: ${args.query}`);
}

export function askPeer(peer: DatabaseSync, query: string): Outcome {
  try {
    const statement = peer.prepare(query);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    const rows = statement.all() as unknown as unknown[][]; // `setReturnArrays`
    return { columns: statement.columns().map(({ name }) => name), rows: rows.map((row) => row.map(asInJson)) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

/** A value as read_query writes it. */
function asInJson(value: unknown): unknown {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Uint8Array) return { bytes: value.length, base64: Buffer.from(value).toString("base64") };
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}
