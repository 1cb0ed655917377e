// Runs a failed statement once more to find out why: its changes are rolled back, and temporary triggers note the new rows.
import type Database from "better-sqlite3";
import { clip } from "@oarlock/domain-kit";
import type { SqlValue } from "../csv/dialect.ts";
import type { AllowedStatement } from "../policy/statement-policy.ts";
import { changeTarget } from "../policy/write-targets.ts";
import { columnNamesOf, quoteName } from "../schema/schema-pragmas.ts";
import { withTriggers } from "./temporary-triggers.ts";

const SAVEPOINT = "oarlock_undone";
/** SQLite calls functions with at most 127 arguments. */
const MAX_COLUMNS = 100;
const MAX_VALUE = 60;

/** The last row that a statement was about to add to a table, or to change there. */
export interface NewRow {
  readonly table: string;
  readonly columns: readonly string[];
  readonly values: readonly SqlValue[];
  /** How many such rows the table had. */
  readonly count: number;
}

/** Runs `act` in a savepoint and rolls it back, whether it fails or not. */
function runUndone(db: Database.Database, act: () => void): void {
  db.exec(`SAVEPOINT ${SAVEPOINT}`);
  try {
    act();
  } catch {
    // As it did before.
  } finally {
    // OR ROLLBACK has ended the transaction.
    if (db.inTransaction) db.exec(`ROLLBACK TO ${SAVEPOINT}; RELEASE ${SAVEPOINT}`);
  }
}

/** The new rows of a statement that is run again, by table, the latest at the end. Rows of more columns are left out. */
export function newRowsOf(
  db: Database.Database,
  allowed: AllowedStatement,
  values: readonly unknown[],
  { before, after }: { readonly before?: () => void; readonly after?: () => void } = {},
): NewRow[] {
  const { prepared, statement, rowEffects } = allowed;
  const tables = [...new Set([...rowEffects.writesTo, changeTarget(statement) ?? ""])]
    .map((name) => ({ name, columns: columnNamesOf(db, name) }))
    .filter(({ columns }) => columns.length > 0 && columns.length <= MAX_COLUMNS);
  const notes = notesOf(db);
  notes.rows = new Map();
  const triggers = tables.flatMap(({ name, columns }, index) => {
    const body = `SELECT note_new_row(${[index, ...columns.map((column) => `new.${quoteName(column)}`)].join(", ")})`;
    return ["BEFORE INSERT", "BEFORE UPDATE"].map((event) => ({ table: name, event, body }));
  });
  runUndone(db, () =>
    withTriggers(db, "undone", triggers, () => {
      before?.();
      if (prepared.reader) prepared.all(...values);
      else prepared.run(...values);
      after?.();
    }),
  );
  const noted = [...notes.rows];
  notes.rows = undefined;
  return noted.flatMap(([index, row]) => {
    const table = tables[index];
    return table === undefined ? [] : [{ table: table.name, columns: table.columns, ...row }];
  });
}

interface Notes {
  /** By the index of the table. Undefined at other times, when the function does nothing. */
  rows: Map<number, Pick<NewRow, "values" | "count">> | undefined;
}

const notesByConnection = new WeakMap<Database.Database, Notes>();

function notesOf(db: Database.Database): Notes {
  const known = notesByConnection.get(db);
  if (known !== undefined) return known;
  const notes: Notes = { rows: undefined };
  db.function("note_new_row", { varargs: true, safeIntegers: true }, (table: unknown, ...values: unknown[]) => {
    const index = Number(table);
    const count = 1 + (notes.rows?.get(index)?.count ?? 0);
    notes.rows?.delete(index); // the latest is the last
    notes.rows?.set(index, { values: values as SqlValue[], count }); // what SQLite passes to functions
    return null;
  });
  notesByConnection.set(db, notes);
  return notes;
}

/** A value as an error names it. */
export const valueText = (value: SqlValue): string =>
  typeof value === "string" ? JSON.stringify(clip(value, MAX_VALUE)) : Buffer.isBuffer(value) ? "a BLOB" : String(value ?? "NULL");
