// Drops that lose no row, so that the user need not confirm them: an index, and a table without rows. The reply has the statements that
// create the object again.
import type Database from "better-sqlite3";
import { tableNamed } from "../schema/table-list.ts";
import type { Statement } from "../sql/statement.ts";
import { quoteName } from "../sql/tokens.ts";
import { createdOrDropped } from "./schema-change.ts";

/** Longer ones are not for a reply. */
const MAX_LENGTH = 4000;

/** The statements for what a DROP removes, before it runs; undefined where it may lose rows, or nothing of the kind exists. */
export function statementsToRecreate(db: Database.Database, statement: Statement): readonly string[] | undefined {
  if (statement.verb !== "DROP") return undefined;
  const { kind, name } = createdOrDropped(statement);
  const statements = kind === "INDEX" ? indexNamed(db, name) : kind === "TABLE" ? emptyTableNamed(db, name) : [];
  const length = statements.reduce((sum, sql) => sum + sql.length, 0);
  return statements.length === 0 || length > MAX_LENGTH ? undefined : statements;
}

const indexNamed = (db: Database.Database, name: string): string[] =>
  db
    .prepare<[string], string>("SELECT sql FROM main.sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND name = ? COLLATE NOCASE")
    .pluck()
    .all(name);

/** A table with its indexes and triggers. */
function emptyTableNamed(db: Database.Database, name: string): string[] {
  const table = tableNamed(db, name);
  if (table?.type !== "table" || table.takenBy !== undefined) return [];
  if (db.prepare(`SELECT 1 FROM main.${quoteName(table.name)} LIMIT 1`).get() !== undefined) return [];
  return db
    .prepare<[string], string>(
      "SELECT sql FROM main.sqlite_schema WHERE sql IS NOT NULL AND tbl_name = ? COLLATE NOCASE ORDER BY type <> 'table', type, rowid",
    )
    .pluck()
    .all(table.name);
}
