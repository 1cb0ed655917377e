// Completion of names that are being typed: databases, tables, columns.
import type { Completer, Context } from "@oarlock/server-kit";
import type { Databases } from "./db/databases.ts";
import { DbError } from "./db/errors.ts";
import type { TablesTold } from "./db/protocol/requests.ts";

/** Names that are looked for, so that the number of all can be told; the kit sends the first hundred. */
const COUNTED = 1000;
const ROOM = 200_000;

const beginning = (names: readonly string[], typed: string): string[] => {
  const start = typed.toLowerCase();
  return names.filter((name) => name.toLowerCase().startsWith(start));
};

export const completeDatabase =
  (databases: Databases): Completer =>
  (typed) =>
    beginning(
      databases.all.map(({ name }) => name),
      typed,
    );

export const completeTable =
  (databases: Databases): Completer =>
  async (typed, ctx, known) => {
    const { tables } = await told(databases, ctx, { database: known.database, detail: "names" });
    return beginning(
      tables.map(({ name }) => name),
      typed,
    );
  };

/** Of the table that is chosen already; of all tables before that. */
export const completeColumn =
  (databases: Databases): Completer =>
  async (typed, ctx, known) => {
    const { tables } = await told(databases, ctx, { database: known.database, detail: "summary" });
    const columns = tables.filter(({ name }) => known.table === undefined || name === known.table).flatMap((table) => table.columns ?? []);
    return beginning([...new Set(columns)], typed);
  };

interface Wanted {
  readonly database: string | undefined;
  readonly detail: "names" | "summary";
}

/** The tables of the database that is chosen already, or of the first one. Nothing is offered where they cannot be told. */
async function told(databases: Databases, ctx: Context, { database, detail }: Wanted): Promise<TablesTold> {
  try {
    const db = databases.get(database ?? databases.all[0]?.name);
    const { done } = await db.read({ op: "tables", views: true, detail, limit: COUNTED, bytes: ROOM }, ctx);
    return done as TablesTold; // our own process told it
  } catch (error) {
    if (error instanceof DbError) return { tables: [], more: false };
    throw error;
  }
}
