// Names the tables and columns behind "FOREIGN KEY constraint failed", which SQLite does not.
import type Database from "better-sqlite3";
import { clip, systemErrorCode } from "@oarlock/domain-kit";
import { DbError } from "../errors.ts";
import { changedRelation } from "../policy/schema-change.ts";
import type { AllowedStatement } from "../policy/statement-policy.ts";
import { changeTarget } from "../policy/write-targets.ts";
import { columnsOf, foreignKeysOf, primaryKeyOf, quoteName } from "../schema/schema-pragmas.ts";
import { userTables } from "../schema/table-list.ts";
import { isInsert } from "../sql/statement.ts";
import { isSqlError } from "../engine/sqlite-errors.ts";
import { newRowsOf, valueText, type NewRow } from "./undone-run.ts";

const MAX_NAMED_KEYS = 5;

/** Rows of `child` refer by `columns` to rows of `parent` by `parentColumns`. */
interface ForeignKey {
  /** The number that SQLite gives it in its table. */
  readonly id: number;
  readonly child: string;
  readonly columns: readonly string[];
  readonly parent: string;
  readonly parentColumns: readonly string[];
}

/** The error of a statement that failed by a foreign key, which it names. */
export function foreignKeyErrorOf(db: Database.Database, allowed: AllowedStatement, values: readonly unknown[]): DbError {
  const { statement, rowEffects } = allowed;
  const target = changeTarget(statement) ?? changedRelation(statement) ?? "";
  const written = new Set([...rowEffects.writesTo, target].map((table) => table.toLowerCase()));
  const concerned = allKeys(db).filter(({ child, parent }) => written.has(child.toLowerCase()) || written.has(parent.toLowerCase()));
  const { broken, rows } = runDeferred(db, concerned, allowed, values);
  const named = broken.length > 0 ? broken : concerned;
  const row = rows.find(({ table, count }) => table === named[0]?.child && count === 1);
  return foreignKeyError(named, isInsert(statement.verb), row);
}

/** Ends a transaction by `commit`. Where a deferred foreign key fails, the error names it. */
export function namingDeferredKey(db: Database.Database, commit: () => void): void {
  try {
    commit();
  } catch (error) {
    throw isForeignKeyError(error) ? brokenKeyError(db) : error;
  }
}

/** The error of a transaction that leaves rows which refer to none. */
export function brokenKeyError(db: Database.Database): DbError {
  const keys = allKeys(db);
  const counts = countBroken(db, keys);
  return foreignKeyError(
    keys.filter((key) => (counts.get(key) ?? 0) > 0),
    true,
  );
}

/** By its message: keys with RESTRICT fail with the code of a trigger. */
export const isForeignKeyError = (error: unknown): boolean =>
  error instanceof Error && systemErrorCode(error)?.startsWith("SQLITE_CONSTRAINT") === true && error.message.startsWith("FOREIGN KEY");

function allKeys(db: Database.Database): ForeignKey[] {
  const tables = userTables(db).filter(({ type }) => type === "table");
  return tables.flatMap(({ name: child }) =>
    foreignKeysOf(db, child).flatMap((columns): ForeignKey[] => {
      const [first] = columns;
      if (first === undefined) return [];
      const { id, table: parent } = first;
      // Without named columns a key refers to the primary key.
      const named = columns.flatMap(({ to }) => to ?? []);
      const parentColumns = named.length > 0 ? named : primaryKeyOf(columnsOf(db, parent));
      return [{ id, child, columns: columns.map(({ from }) => from), parent, parentColumns }];
    }),
  );
}

/** The keys that the failed statement breaks, and its new rows, found by running it again with all keys deferred, RESTRICT too. */
function runDeferred(
  db: Database.Database,
  keys: readonly ForeignKey[],
  allowed: AllowedStatement,
  values: readonly unknown[],
): { broken: readonly ForeignKey[]; rows: readonly NewRow[] } {
  const before = keys.length > 1 ? countBroken(db, keys) : undefined;
  let after: ReturnType<typeof countBroken> | undefined;
  try {
    const rows = newRowsOf(db, allowed, values, {
      before: () => db.pragma("defer_foreign_keys = ON"),
      after: () => {
        if (before !== undefined) after = countBroken(db, keys);
      },
    });
    return { broken: keys.filter((key) => before === undefined || (after?.get(key) ?? 0) > (before.get(key) ?? 0)), rows };
  } finally {
    db.pragma("defer_foreign_keys = OFF");
  }
}

/** How many rows break each key. */
function countBroken(db: Database.Database, keys: readonly ForeignKey[]): Map<ForeignKey, number> {
  const counts = new Map<ForeignKey, number>();
  for (const [child, ofChild] of Map.groupBy(keys, (key) => key.child)) {
    const broken = brokenRowsOf(db, child);
    for (const key of ofChild) counts.set(key, broken.filter((id) => id === key.id).length);
  }
  return counts;
}

/** The keys that rows of a table break: one for each such row. */
function brokenRowsOf(db: Database.Database, table: string): number[] {
  try {
    return db
      .prepare<[], [string, number | null, string, number]>(`PRAGMA main.foreign_key_check(${quoteName(table)})`)
      .raw()
      .all()
      .map(([, , , id]) => id);
  } catch (error) {
    // A key that refers to columns without a unique index cannot be checked; statements that use it fail by themselves.
    if (!isSqlError(error)) throw error;
    return [];
  }
}

/** @param adds The statement adds rows, so rather the rows that it refers to are missing. */
function foreignKeyError(keys: readonly ForeignKey[], adds: boolean, row?: NewRow): DbError {
  const [first] = keys;
  if (first === undefined) return new DbError("sql", "FOREIGN KEY constraint failed.");
  const named = keys.slice(0, MAX_NAMED_KEYS).map(describeKey).join(", or ");
  const remedy = adds
    ? `Insert the row of ${clip(first.parent)} first.`
    : `Delete or change the rows of ${clip(first.child)} first, or refer to an existing row.`;
  const given = first.columns.map((column) => valueText(row?.values[row.columns.indexOf(column)] ?? null));
  const missing = row === undefined ? "none that exists" : `${given.join(", ")}, which does not exist`;
  return new DbError("sql", `FOREIGN KEY constraint failed: ${named}, and a row would refer to ${missing}. ${remedy}`);
}

const describeKey = ({ child, columns, parent, parentColumns }: ForeignKey): string =>
  `${clip(child)} (${columnList(columns)}) refers to ${clip(parent)} (${columnList(parentColumns)})`;

const columnList = (columns: readonly string[]): string => columns.map((column) => clip(column, 80)).join(", ");
