// Completion of the names of databases, tables and columns.
import type { Completer, Context } from "@oarlock/server-kit";
import type { Databases } from "./db/databases.ts";
import { DbError } from "./db/errors.ts";
import type { TablesRequest, TableSummary } from "./db/protocol/schema-messages.ts";

/** More than the kit sends, so that it can report how many there are. */
const MAX_TABLES = 1000;
const MAX_BYTES = 200_000;

const startingWith = (names: readonly string[], typed: string): string[] => {
  const start = typed.toLowerCase();
  return names.filter((name) => name.toLowerCase().startsWith(start));
};

export const completeDatabase =
  (databases: Databases): Completer =>
  (typed) =>
    startingWith(
      databases.all.map(({ name }) => name),
      typed,
    );

export const completeTable =
  (databases: Databases): Completer =>
  async (typed, ctx, known) => {
    const tables = await tablesOf(databases, ctx, known.database, "names");
    return startingWith(
      tables.map(({ name }) => name),
      typed,
    );
  };

/** Columns of the chosen table; before a table is chosen, of all tables. */
export const completeColumn =
  (databases: Databases): Completer =>
  async (typed, ctx, known) => {
    const tables = await tablesOf(databases, ctx, known.database, "summary");
    const columns = tables.filter(({ name }) => known.table === undefined || name === known.table).flatMap((table) => table.columns ?? []);
    return startingWith([...new Set(columns)], typed);
  };

/** Tables of the chosen or the first database. None where they cannot be read. */
async function tablesOf(
  databases: Databases,
  ctx: Context,
  database: string | undefined,
  detail: TablesRequest["detail"],
): Promise<TableSummary[]> {
  try {
    const db = databases.getOrFirst(database);
    const { reply } = await db.read({ op: "tables", includeViews: true, detail, maxTables: MAX_TABLES, maxBytes: MAX_BYTES }, ctx);
    return reply.tables;
  } catch (error) {
    if (error instanceof DbError) return [];
    throw error;
  }
}
