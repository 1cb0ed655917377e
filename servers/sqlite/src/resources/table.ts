// sqlite://{database}/table/{table} and …/rows: a table and its first rows.
import { template, type Context } from "@oarlock/server-kit";
import { completeDatabase, completeTable } from "../completion.ts";
import type { Database } from "../db/database.ts";
import type { DescribeReply } from "../db/protocol/schema-messages.ts";
import type { WatchedPart } from "../db/watch/change-watch.ts";
import type { Dependencies } from "../dependencies.ts";
import { rowsJson } from "../replies/row-blocks.ts";
import { rowLimits } from "../replies/row-limits.ts";
import { withResourceErrors } from "./resource-errors.ts";
import { uriMatcher } from "./uri-template.ts";

const FIRST_ROWS = 100;
const MIME_TYPE = "application/json";
const TABLE = "sqlite://{database}/table/{table}";
const ROWS = "sqlite://{database}/table/{table}/rows";

export const table = (deps: Dependencies) =>
  template({
    ...sharedSpec(deps, TABLE, "schema"),
    name: "table",
    title: "Table",
    description: "Columns, keys, indexes and triggers of a table or view",
    read: ({ database, table: name }, ctx, uri) =>
      withResourceErrors(uri, async () => {
        const { description } = await describe(deps.databases.get(database), name, deps.maxResultBytes, ctx);
        return { text: JSON.stringify(description), mimeType: MIME_TYPE };
      }),
  });

export const firstRows = (deps: Dependencies) =>
  template({
    ...sharedSpec(deps, ROWS, "data"),
    name: "rows",
    title: "First rows",
    description: `The first ${FIRST_ROWS} rows of a table or view`,
    read: ({ database, table: name }, ctx, uri) =>
      withResourceErrors(uri, async () => {
        const db = deps.databases.get(database);
        // Reports "not found" unless a table has exactly this name; SQLite ignores letter case.
        await describe(db, name, deps.maxResultBytes, ctx);
        const sql = `SELECT * FROM main."${name.replaceAll('"', '""')}"`;
        const limits = rowLimits(Math.floor(deps.maxResultBytes / 2), FIRST_ROWS);
        const { reply, rows } = await db.read({ op: "read", sql, skip: 0, limits }, ctx);
        const { columns, rowCount, hasMore, clipped } = reply;
        const members = { rowCount, truncated: hasMore, ...(clipped.length > 0 && { clipped }) };
        return { text: rowsJson(rows, columns, members), mimeType: MIME_TYPE };
      }),
  });

interface TableVariables {
  readonly database: string;
  readonly table: string;
}

/** Everything but the texts and `read`. */
const sharedSpec = <Uri extends string>({ databases, maxResultBytes }: Dependencies, uri: Uri, watched: WatchedPart) => ({
  uri,
  match: uriMatcher<keyof TableVariables>(uri),
  mimeType: MIME_TYPE,
  complete: { database: completeDatabase(databases), table: completeTable(databases) },
  noticesOtherProcesses: true,
  subscribe: ({ database, table: name }: TableVariables, ctx: Context, address: string) =>
    withResourceErrors(address, async () => void (await describe(databases.get(database), name, maxResultBytes, ctx))),
  watch: ({ database }: TableVariables, changed: () => void, address: string) =>
    withResourceErrors(address, async () => await databases.get(database).watch(watched, changed)),
});

async function describe(db: Database, table: string, maxResultBytes: number, ctx: Context): Promise<DescribeReply> {
  const { reply } = await db.read({ op: "describe", table, sampleRows: 0, limits: rowLimits(maxResultBytes, 1) }, ctx);
  return reply;
}
