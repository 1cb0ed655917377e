// Rows that refer to none, by foreign key: how many, and the first ones.
import type Database from "better-sqlite3";
import { clip } from "@oarlock/domain-kit";
import type { SqlValue } from "../csv/dialect.ts";
import { exactInteger } from "../engine/engine.ts";
import { isObjectError } from "../engine/sqlite-errors.ts";
import { columnsOf, foreignKeysOf, primaryKeyOf, quoteName, type ForeignKeyColumn } from "../schema/schema-pragmas.ts";
import { userTables } from "../schema/table-list.ts";

const EXAMPLES = 3;

interface BrokenRow {
  /** Null where rows have no id. */
  readonly rowid: bigint | null;
  readonly fkid: bigint;
}

/** Checks table by table, so that a key without a unique index on the other side is reported and hides no other. */
export function checkForeignKeys(db: Database.Database): object[] {
  return userTables(db).flatMap(({ name, type }) => {
    const keys = type === "table" ? foreignKeysOf(db, name) : [];
    if (keys.length === 0) return [];
    try {
      return brokenKeysOf(db, name, keys);
    } catch (error) {
      if (!isObjectError(error)) throw error;
      return [{ table: name, error: error.message.slice(0, 500) }];
    }
  });
}

function brokenKeysOf(db: Database.Database, table: string, keys: readonly (readonly ForeignKeyColumn[])[]): object[] {
  const found = new Map<number, { rows: number; rowids: bigint[] }>();
  const rows = db
    .prepare<[], BrokenRow>(`PRAGMA main.foreign_key_check(${quoteName(table)})`)
    .safeIntegers()
    .iterate();
  for (const { rowid, fkid } of rows) {
    const key = found.get(Number(fkid)) ?? { rows: 0, rowids: [] };
    found.set(Number(fkid), key);
    key.rows += 1;
    if (rowid !== null && key.rowids.length < EXAMPLES) key.rowids.push(rowid);
  }
  return keys.flatMap((columns) => {
    const [first] = columns;
    const broken = first === undefined ? undefined : found.get(first.id);
    if (first === undefined || broken === undefined) return [];
    const names = columns.map(({ from }) => from);
    const values = broken.rowids.map((rowid) => valuesOf(db, table, names, rowid));
    return [
      {
        table,
        columns: names,
        parent: first.table,
        rows: broken.rows,
        ...(values.length > 0 && { values, rowids: broken.rowids.map(exactInteger) }),
        ...(broken.rows > values.length && { query: queryOf(db, table, columns) }),
      },
    ];
  });
}

/** Returns all rows of a broken key. Where the key names no column of the other table, its primary key is meant. */
function queryOf(db: Database.Database, table: string, columns: readonly ForeignKeyColumn[]): string {
  const parent = columns[0]?.table ?? "";
  const ofParent = columnsOf(db, parent);
  const keys = primaryKeyOf(ofParent);
  const child = quoteName(table);
  const alias = table.toLowerCase() === "p" ? "q" : "p";
  const present = columns.map(({ from }) => `${child}.${quoteName(from)} IS NOT NULL`);
  const equal = columns.map(({ from, to }, index) => `${alias}.${quoteName(to ?? keys[index] ?? "rowid")} = ${child}.${quoteName(from)}`);
  const isMissing = `NOT EXISTS (SELECT 1 FROM ${quoteName(parent)} AS ${alias} WHERE ${equal.join(" AND ")})`;
  return `SELECT * FROM ${child} WHERE ${[...present, ...(ofParent.length > 0 ? [isMissing] : [])].join(" AND ")}`;
}

/** The value of a key of one column, or the list of values. */
function valuesOf(db: Database.Database, table: string, columns: readonly string[], rowid: bigint): unknown {
  const row = db
    .prepare<[bigint], SqlValue[]>(`SELECT ${columns.map(quoteName).join(", ")} FROM main.${quoteName(table)} WHERE rowid = ?`)
    .raw()
    .safeIntegers()
    .get(rowid);
  const values = (row ?? []).map((value) =>
    typeof value === "bigint"
      ? exactInteger(value)
      : typeof value === "string"
        ? clip(value, 80)
        : Buffer.isBuffer(value)
          ? "(BLOB)"
          : value,
  );
  return values.length === 1 ? values[0] : values;
}
