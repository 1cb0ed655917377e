// Names the rows and values behind a failed constraint, which SQLite does not: those of the new row, and the row that has them already.
import type Database from "better-sqlite3";
import { clip, counted, systemErrorCode } from "@oarlock/domain-kit";
import type { SqlValue } from "../csv/dialect.ts";
import { DbError } from "../errors.ts";
import type { AllowedStatement } from "../policy/statement-policy.ts";
import { columnsOf, primaryKeyOf, quoteName, rowidName } from "../schema/schema-pragmas.ts";
import { isInsert } from "../sql/statement.ts";
import { foreignKeyErrorOf, isForeignKeyError } from "./foreign-key-errors.ts";
import { newRowsOf, valueText, type NewRow } from "./undone-run.ts";
import { failedKeyOf, keyOfIndex, rowsOfKey } from "./unique-keys.ts";

/** The reasons for a failure are not looked for after a statement that took longer: the time limit would come before them. */
const MAX_MS = 2000;
const MAX_ROW = 300;
const NAMED_VALUES = 3;
const NAMED_ROWS = 5;

export interface FailingStatement {
  readonly allowed: AllowedStatement;
  /** Bound to its parameters. */
  readonly values: readonly unknown[];
  /** What helps where a unique key has the values already. Default: for the statement. */
  readonly remedy?: string;
}

/** Runs `act`, which executes the statement. Where a constraint fails, the error names the rows. */
export function namingConstraint<T>(db: Database.Database, failing: FailingStatement, act: () => T): T {
  const startedAt = performance.now();
  try {
    return act();
  } catch (error) {
    if (isForeignKeyError(error)) throw foreignKeyErrorOf(db, failing.allowed, failing.values);
    const [message, kind = "", what = ""] = (error instanceof Error && FAILED.exec(error.message)) || [];
    const isKnown = message !== undefined && systemErrorCode(error)?.startsWith("SQLITE_CONSTRAINT") === true;
    if (!isKnown || performance.now() - startedAt > MAX_MS) throw error;
    throw new DbError("sql", `${clip(message, 300)}${detailsOf(db, failing, kind, what) ?? ""}`);
  }
}

const FAILED = /^(UNIQUE|NOT NULL|CHECK) constraint failed: (.+)$/s;

/** The search for reasons must not fail in turn. */
function detailsOf(db: Database.Database, failing: FailingStatement, kind: string, what: string): string | undefined {
  const { allowed, values } = failing;
  try {
    if (allowed.statement.verb === "CREATE") return repeatedValues(db, allowed.statement.sql);
    // OR FAIL has kept the rows before: they would fail in turn.
    if (!allowed.rowEffects.isAtomic) return undefined;
    const rows = newRowsOf(db, allowed, values);
    const row = kind === "CHECK" ? rows.at(-1) : rows.findLast(({ table }) => what.startsWith(`${table}.`) || what.startsWith("index '"));
    if (row === undefined) return undefined;
    if (kind === "UNIQUE") return conflictOf(db, row, what, failing);
    return kind === "CHECK" || row.count > 1 ? ` in the row ${rowText(row)}` : undefined;
  } catch {
    return undefined;
  }
}

/** The values that a new unique index would refuse, with the rows that have them. */
function repeatedValues(db: Database.Database, sql: string): string | undefined {
  const key = keyOfIndex(sql);
  if (key === undefined) return undefined;
  const [id, source, terms] = [rowKeyOf(db, key.table), `main.${quoteName(key.table)} WHERE ${rowsOfKey(key)}`, key.terms.join(", ")];
  const groups = db
    .prepare<[], SqlValue[]>(
      `SELECT count(*) OVER (), sum(count(*)) OVER (), count(*), ${terms} FROM ${source} GROUP BY ${terms} HAVING count(*) > 1 ORDER BY 3 DESC LIMIT ${NAMED_VALUES}`,
    )
    .raw()
    .all();
  const rowsOf = db
    .prepare<SqlValue[], SqlValue>(
      `SELECT ${quoteName(id)} FROM ${source} AND (${terms}) = (${key.terms.map(() => "?").join(", ")}) ORDER BY 1 LIMIT ${NAMED_ROWS + 1}`,
    )
    .pluck();
  const [values = 0, rows = 0] = (groups[0] ?? []).map(Number);
  if (values === 0) return undefined;
  const named = groups.map(([, , count, ...value]) => {
    const ids = rowsOf.all(...value).map((one, index) => (index < NAMED_ROWS ? String(one) : "…"));
    return `${listOf(value)} in ${counted(Number(count), "row")} (${id} ${ids.join(", ")})`;
  });
  const more = values > groups.length ? `; and ${counted(values - groups.length, "more value")}` : "";
  return `: ${counted(values, "repeated value")}, ${counted(rows, "row")}: ${named.join("; ")}${more}. Change or delete rows first, or leave the values out by WHERE`;
}

/** The row that has the values of the new one already. */
function conflictOf(db: Database.Database, row: NewRow, what: string, { allowed, remedy }: FailingStatement): string | undefined {
  const key = failedKeyOf(db, row.table, what);
  if (key === undefined) return undefined;
  const terms = key.terms.join(", ");
  const given = `SELECT ${terms} FROM (SELECT ${row.columns.map((column, index) => `@new${index} AS ${quoteName(column)}`).join(", ")})`;
  const parameters = Object.fromEntries(row.values.map((value, index) => [`new${index}`, value]));
  const id = rowKeyOf(db, row.table);
  const [value = []] = db.prepare<object, SqlValue[]>(given).raw().all(parameters);
  const existing = db
    .prepare<object, SqlValue>(
      `SELECT ${quoteName(id)} FROM main.${quoteName(row.table)} WHERE ${rowsOfKey(key)} AND (${terms}) = (${given}) LIMIT 1`,
    )
    .pluck()
    .get(parameters);
  const where =
    existing === undefined ? "another row of this change has it too" : `the row with ${id} ${valueText(existing)} has it already`;
  const columns = clip(terms.replaceAll(/"(\w+)"| COLLATE "\w+"/g, "$1"), 100);
  const next = isInsert(allowed.statement.verb)
    ? `Update that row, or add ON CONFLICT (${columns}) DO UPDATE SET … or DO NOTHING`
    : "Change that row first, or choose another value";
  return `: ${listOf(value)}, ${where}. ${remedy ?? next}`;
}

/** The name of what identifies a row: its primary key of one column, or its row id. */
function rowKeyOf(db: Database.Database, table: string): string {
  const columns = columnsOf(db, table);
  const [key, ...others] = primaryKeyOf(columns);
  return key !== undefined && others.length === 0 ? key : (rowidName(columns.map(({ name }) => name)) ?? "rowid");
}

function rowText({ columns, values }: NewRow): string {
  const named = columns.map((column, index) => `${clip(column, 40)} ${valueText(values[index] ?? null)}`);
  return `(${clip(named.join(", "), MAX_ROW)})`;
}

const listOf = (values: readonly SqlValue[]): string => values.map(valueText).join(", ");
