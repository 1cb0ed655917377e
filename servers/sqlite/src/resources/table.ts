// sqlite://{database}/table/{table} and …/rows: what a table is, and how it begins.
import { template, type Context } from "@oarlock/server-kit";
import { completeDatabase, completeTable } from "../completion.ts";
import type { Database } from "../db/databases.ts";
import type { Asked, RowsTold } from "../db/protocol/requests.ts";
import { roomFor, type Parts } from "../dependencies.ts";
import { rowsJson } from "../replies/row-blocks.ts";
import { addressOf } from "./uri-template.ts";
import { found } from "./resource-errors.ts";

const FIRST_ROWS = 100;
const MIME = "application/json";

const TABLE = "sqlite://{database}/table/{table}";

export const table = ({ databases, maxResultBytes }: Parts) =>
  template({
    uri: TABLE,
    match: addressOf(TABLE),
    name: "table",
    title: "Table",
    description: "Columns, keys, indexes and triggers of a table or view",
    mimeType: MIME,
    complete: { database: completeDatabase(databases), table: completeTable(databases) },
    read: ({ database, table: name }, ctx, uri) =>
      found(uri, async () => {
        const { done } = await databases.get(database).read(describing(name, maxResultBytes), ctx);
        return { text: JSON.stringify(done), mimeType: MIME };
      }),
    watch: ({ database, table: name }, changed, ctx, uri) =>
      found(uri, () => watchTable(databases.get(database), { name, what: "schema", bytes: maxResultBytes }, changed, ctx)),
  });

const ROWS = "sqlite://{database}/table/{table}/rows";

export const rows = ({ databases, maxResultBytes }: Parts) =>
  template({
    uri: ROWS,
    match: addressOf(ROWS),
    name: "rows",
    title: "First rows",
    description: `The first ${FIRST_ROWS} rows of a table or view`,
    mimeType: MIME,
    complete: { database: completeDatabase(databases), table: completeTable(databases) },
    read: ({ database, table: name }, ctx, uri) =>
      found(uri, async () => {
        const db = databases.get(database);
        // Says "not found" for what is no table of exactly this name.
        await db.read(describing(name, maxResultBytes), ctx);
        const sql = `SELECT * FROM main."${name.replaceAll('"', '""')}"`;
        const answer = await db.read({ op: "read", sql, skip: 0, room: roomFor(Math.floor(maxResultBytes / 2), FIRST_ROWS) }, ctx);
        const { columns, rowCount, more, clipped } = answer.done as RowsTold; // our own process told it
        return { text: rowsJson(answer, columns, { rowCount, truncated: more, ...(clipped.length > 0 && { clipped }) }), mimeType: MIME };
      }),
    watch: ({ database, table: name }, changed, ctx, uri) =>
      found(uri, () => watchTable(databases.get(database), { name, what: "data", bytes: maxResultBytes }, changed, ctx)),
  });

const describing = (name: string, bytes: number): Asked => ({ op: "describe", table: name, sampleRows: 0, room: roomFor(bytes, 1) });

interface Watched {
  readonly name: string;
  readonly what: "data" | "schema";
  readonly bytes: number;
}

async function watchTable(db: Database, { name, what, bytes }: Watched, changed: () => void, ctx: Context): Promise<() => void> {
  await db.read(describing(name, bytes), ctx);
  return await db.watch(what, changed);
}
