// Rows of a CSV file as a table would keep them, for a dry run.
import type Database from "better-sqlite3";
import { fieldOf, type SqlValue } from "./dialect.ts";
import type { ImportColumn } from "./record-insert.ts";
import { CSV } from "./text-formats.ts";

const SHOWN_LENGTH = 60;

/** As CSV, long values cut. A temporary table of the same affinities converts the values; the caller rolls it back. */
export function storedRows(db: Database.Database, columns: readonly ImportColumn[], rows: readonly (readonly SqlValue[])[]): string {
  const declared = columns.map(({ type, affinity }, index) => `c${index} ${typeOf(type, affinity)}`.trimEnd());
  db.exec(`CREATE TEMP TABLE "rows of a dry run" (${declared.join(", ")})`);
  const insert = db.prepare(`INSERT INTO temp."rows of a dry run" VALUES (${columns.map(() => "?").join(", ")})`);
  for (const row of rows) insert.run(...row);
  const stored = db.prepare('SELECT * FROM temp."rows of a dry run" ORDER BY rowid').raw().safeIntegers().all() as SqlValue[][];
  return CSV.rows(stored.map((row) => row.map((value) => fieldOf(cut(value), SHOWN_LENGTH / 2)))).replaceAll("\r\n", "\n");
}

/** A type of the same affinity that is safe in a statement: a declared type may hold any text. */
function typeOf(type: string, affinity: ImportColumn["affinity"]): string {
  if (affinity === "none") return "";
  if (affinity === "text") return "TEXT";
  return /real|floa|doub/i.test(type) && !/int/i.test(type) ? "REAL" : "NUMERIC";
}

const cut = (value: SqlValue): SqlValue =>
  typeof value === "string" && value.length > SHOWN_LENGTH ? `${value.slice(0, SHOWN_LENGTH)}…` : value;
