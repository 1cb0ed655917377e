// One table or view: columns, keys, indexes, triggers, the CREATE statement and sample rows.
import type Database from "better-sqlite3";
import { clip, nearestNames } from "@oarlock/domain-kit";
import type { Engine } from "../engine/engine.ts";
import { retryWhileBusy } from "../engine/lock-retry.ts";
import type { RowOutput } from "../rows/row-encoder.ts";
import { isObjectError } from "../engine/sqlite-errors.ts";
import { sampleRows, type SampleReply } from "../rows/table-sample.ts";
import { DbError } from "../errors.ts";
import type { DescribeReply, DescribeRequest, TableDescription } from "../protocol/schema-messages.ts";
import { DescriptionBudget, MAX_ITEMS, MAX_TEXT, pageOfColumns } from "./description-budget.ts";
import { estimateRows } from "./row-estimate.ts";
import { columnsOrError, foreignKeysOf, indexColumnsOf, indexesOf, primaryKeyOf, type ColumnInfo } from "./schema-pragmas.ts";
import { allTables, sameTable, userTables } from "./table-list.ts";
import { createStatementOf } from "./table-summaries.ts";

export function describeTable({ db }: Engine, request: DescribeRequest, output: RowOutput): DescribeReply {
  const { limits, sampleRows: maxRows } = request;
  return retryWhileBusy(() => {
    const tables = allTables(db);
    const exact = tables.find(({ name }) => name === request.table);
    const found = exact ?? (request.ignoresCase === true ? sameTable(tables, request.table) : undefined);
    if (found === undefined) throw tableNotFound(db, request.table);
    const table = found.name;
    const { columns, error } = columnsOrError(db, table);
    const names = columns.map(({ name }) => name);
    const rowEstimate = found.type === "table" && !found.withoutRowid ? estimateRows(db, table, names) : undefined;
    // In the reply each text stands twice, with backslashes before its quotes.
    const budget = new DescriptionBudget(Math.min(Math.floor(limits.maxBytes / 8), Math.floor((request.maxTextBytes ?? Infinity) / 2)));
    const identity = { table, type: found.type === "shadow" ? "table" : found.type };
    const described = columns.map((column) => describeColumn(column, budget));
    const { firstColumn = 0, maxTextBytes = Infinity } = request;
    if (firstColumn > 0) {
      const page = pageOfColumns(described, { first: firstColumn, maxBytes: maxTextBytes });
      return { description: { ...identity, columns: page.columns } as TableDescription, nextColumn: page.next };
    }
    const sql = budget.text(createStatementOf(db, table));
    const rest = {
      ...(error !== undefined && { error }),
      primaryKey: primaryKeyOf(columns),
      foreignKeys: describeForeignKeys(db, table, budget),
      referencedBy: describeReferences(db, table, budget),
      indexes: describeIndexes(db, table, budget),
      triggers: describeTriggers(db, table, budget),
      ...(rowEstimate !== undefined && { rowEstimate }),
      ...(found.strict && { strict: true }),
      ...(found.withoutRowid && { withoutRowid: true }),
      sql,
    };
    const page = pageOfColumns(described, { first: 0, maxBytes: maxTextBytes, otherBytes: Buffer.byteLength(JSON.stringify(rest)) });
    const nextColumn = page.next;
    const isCut = budget.isExceeded || nextColumn !== undefined;
    const description = { ...identity, columns: page.columns, ...rest, ...(isCut && { truncated: true }) } as TableDescription; // members made above
    if (maxRows === 0 || error !== undefined) return { description, nextColumn };
    const sample = sampleOrError(() => sampleRows(db, table, { ...limits, maxRows }, output), output);
    return "error" in sample ? { description: { ...description, ...sample }, nextColumn } : { description, sample, nextColumn };
  });
}

/** A table is described even where its rows cannot be read, as those of a view on a table that no longer exists. */
function sampleOrError(sample: () => SampleReply, output: RowOutput): SampleReply | { error: string } {
  try {
    return sample();
  } catch (error) {
    if (!isObjectError(error)) throw error;
    output.restart();
    return { error: error.message.slice(0, 200) };
  }
}

/** `instead`: what the caller can pass to go on without the table. */
export function tableNotFound(db: Database.Database, table: string, instead?: string): DbError {
  const names = userTables(db).map(({ name }) => name);
  const near = nearestNames(table, names).map((name) => clip(name, 80));
  const found = near.length > 0 ? `did you mean ${near.join(" or ")}?` : undefined;
  const next = instead === undefined ? (found ?? "use list_tables to find its name.") : [found, instead].filter(Boolean).join(" Or ");
  return new DbError("not-found", `No such table: ${clip(table, 80)}; ${next}`);
}

const describeColumn = ({ name, type, notnull, dflt_value, pk, hidden }: ColumnInfo, budget: DescriptionBudget): object => ({
  name,
  type,
  notNull: notnull === 1,
  default: dflt_value === null || dflt_value.length <= MAX_TEXT ? dflt_value : budget.text(dflt_value),
  primaryKey: pk,
  ...(hidden > 1 && { generated: hidden === 2 ? "virtual" : "stored" }),
});

function describeForeignKeys(db: Database.Database, table: string, budget: DescriptionBudget): object[] {
  return budget.list(foreignKeysOf(db, table), (columns) => ({
    columns: columns.map(({ from }) => from),
    table: columns[0]?.table,
    references: columns.map(({ to }) => to),
    onUpdate: columns[0]?.on_update,
    onDelete: columns[0]?.on_delete,
  }));
}

function describeReferences(db: Database.Database, table: string, budget: DescriptionBudget): object[] {
  const wanted = table.toLowerCase();
  const references = userTables(db)
    .filter(({ type }) => type === "table")
    .flatMap(({ name }) => foreignKeysOf(db, name).map((columns) => ({ name, columns })))
    .filter(({ columns }) => columns[0]?.table.toLowerCase() === wanted);
  return budget.list(references, ({ name, columns }) => ({
    table: name,
    columns: columns.map(({ from }) => from),
    references: columns.map(({ to }) => to),
  }));
}

function describeTriggers(db: Database.Database, table: string, budget: DescriptionBudget): object[] {
  const triggers = db
    .prepare<[string, number], { name: string; sql: string }>(
      "SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE LIMIT ?",
    )
    .all(table, MAX_ITEMS + 1);
  return budget.list(triggers, ({ name, sql }) => ({ name, sql: budget.text(sql) }));
}

function describeIndexes(db: Database.Database, table: string, budget: DescriptionBudget): object[] {
  const createStatement = db
    .prepare<[string], string | null>("SELECT sql FROM main.sqlite_schema WHERE type = 'index' AND name = ?")
    .pluck();
  return budget.list(indexesOf(db, table).toReversed(), ({ name, unique, origin, partial }) => {
    const sql = createStatement.get(name);
    const columns = indexColumnsOf(db, name).map(({ name: column, desc, coll }) => ({
      name: column,
      ...(desc === 1 && { descending: true }),
      ...(coll !== "BINARY" && { collation: coll }),
    }));
    return {
      name,
      unique: unique === 1,
      columns,
      ...(origin !== "c" && { origin: origin === "pk" ? "primary key" : "unique" }),
      ...(partial === 1 && { partial: true }),
      ...(typeof sql === "string" && { sql: budget.text(sql) }),
    };
  });
}
