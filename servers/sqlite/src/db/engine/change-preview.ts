// The first rows that a dry run would change, as they are and as they would be.
import type { SqlValue } from "../csv/dialect.ts";
import type { AllowedStatement } from "../policy/statement-policy.ts";
import { changeTarget } from "../policy/write-targets.ts";
import type { ChangePreview } from "../protocol/change-messages.ts";
import type { Column } from "../protocol/rows.ts";
import { RowEncoder } from "../rows/row-encoder.ts";
import { columnsOf, primaryKeyOf, quoteName, rowidName } from "../schema/schema-pragmas.ts";
import { tableNamed } from "../schema/table-list.ts";
import { CollectedRows } from "../rows/collected-rows.ts";
import type { Engine } from "./engine.ts";
import { isObjectError } from "./sqlite-errors.ts";

const MAX_ROWS = 10;
const LIMITS = { maxRows: MAX_ROWS, maxBytes: 20_000, maxTextLength: 200, maxBlobBytes: 32, omitOversizedRow: true };

/** Runs the statement with RETURNING, in the transaction of the caller. Returns a function that adds the present rows after its rollback. */
export function previewChange(engine: Engine, allowed: AllowedStatement, values: readonly unknown[]): (() => ChangePreview) | undefined {
  const { statement, prepared, targetType } = allowed;
  const table = tableNamed(engine.db, changeTarget(statement) ?? "");
  if (prepared.reader || targetType !== "table" || table === undefined) return undefined;
  const columns = columnsOf(engine.db, table.name);
  const key = table.withoutRowid
    ? primaryKeyOf(columns).map(quoteName)
    : [rowidName(columns.map(({ name }) => name))].flatMap((name) => name ?? []);
  if (key.length === 0) return undefined;
  const sql = `${statement.sql} RETURNING ${key.join(", ")}, *`;
  const { changed, count } = firstChanged(engine, sql, values);
  const shown = columns.map(({ name, type }) => ({ name, declaredType: type }));
  return () => {
    const select = `SELECT * FROM main.${quoteName(table.name)} WHERE ${key.map((name) => `${name} = ?`).join(" AND ")}`;
    const present = engine.allowed(select, "read").prepared.safeIntegers(true);
    const before = changed.flatMap((row) => present.all(...row.slice(0, key.length)) as SqlValue[][]);
    const after = statement.verb === "DELETE" ? [] : changed.map((row) => row.slice(key.length));
    return { columns: shown, before: encoded(shown, before), after: encoded(shown, after), truncated: count > MAX_ROWS };
  };
}

/** The statement runs to its end. No rows where SQLite does not take RETURNING at this place. */
function firstChanged(engine: Engine, sql: string, values: readonly unknown[]): { changed: SqlValue[][]; count: number } {
  const changed: SqlValue[][] = [];
  let count = 0;
  try {
    for (const row of engine.allowed(sql, "write").prepared.iterate(...values)) if (++count <= MAX_ROWS) changed.push(row as SqlValue[]); // raw
    return { changed, count };
  } catch (error) {
    if (!isObjectError(error)) throw error;
    return { changed: [], count: 0 };
  }
}

function encoded(columns: readonly Column[], rows: SqlValue[][]): unknown[][] {
  const output = new CollectedRows();
  const encoder = new RowEncoder(columns, LIMITS, output, { usesBigInts: true });
  for (const row of rows) if (!encoder.add(row)) break;
  encoder.end();
  return [...output.reply({ columns }, { hasMore: encoder.isFull, clipped: [] }).rows];
}
