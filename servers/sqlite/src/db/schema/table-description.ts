// One table or view: columns, keys, indexes, triggers, the CREATE statement and sample rows.
import type Database from "better-sqlite3";
import { clip, nearestNames } from "@oarlock/domain-kit";
import type { Engine } from "../engine/engine.ts";
import { retryWhileBusy } from "../engine/lock-retry.ts";
import type { RowOutput } from "../rows/row-encoder.ts";
import { isObjectError } from "../engine/sqlite-errors.ts";
import { sampleRows, type SampleReply } from "../rows/table-sample.ts";
import { DbError } from "../errors.ts";
import type { DescribeReply, DescribeRequest } from "../protocol/schema-messages.ts";
import { estimateRows } from "./row-estimate.ts";
import { columnsOrError, foreignKeysOf, indexColumnsOf, indexesOf, primaryKeyOf, type ColumnInfo } from "./schema-pragmas.ts";
import { allTables, sameTable, userTables } from "./table-list.ts";
import { createStatementOf } from "./table-summaries.ts";

const MAX_ITEMS = 200;
/** Statements may be as long as a file. Each is cut to `MAX_TEXT`; when the budget is used up, to `MIN_TEXT` characters. */
const MAX_TEXT = 20_000;
const MIN_TEXT = 100;

/** Cuts texts and lists of a description to a budget of characters. */
class DescriptionBudget {
  isExceeded = false;
  #left: number;

  constructor(characters: number) {
    this.#left = characters;
  }

  text(text: string): string {
    const limit = Math.max(MIN_TEXT, Math.min(MAX_TEXT, this.#left));
    this.#left -= Math.min(limit, text.length);
    if (text.length <= limit) return text;
    this.isExceeded = true;
    return `${text.slice(0, limit)}…`;
  }

  list<T>(items: readonly T[]): readonly T[] {
    if (items.length > MAX_ITEMS) this.isExceeded = true;
    return items.slice(0, MAX_ITEMS);
  }
}

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
    const budget = new DescriptionBudget(Math.floor(limits.maxBytes / 8));
    const sql = budget.text(createStatementOf(db, table));
    const description = {
      table,
      type: found.type === "shadow" ? "table" : found.type,
      columns: columns.map((column) => describeColumn(column, budget)),
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
      ...(budget.isExceeded && { truncated: true }),
    };
    if (maxRows === 0 || error !== undefined) return { description };
    const sample = sampleOrError(() => sampleRows(db, table, { ...limits, maxRows }, output), output);
    return "error" in sample ? { description: { ...description, ...sample } } : { description, sample };
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

export function tableNotFound(db: Database.Database, table: string): DbError {
  const names = userTables(db).map(({ name }) => name);
  const near = nearestNames(table, names).map((name) => clip(name, 80));
  const next = near.length > 0 ? `did you mean ${near.join(" or ")}?` : "use list_tables to find its name.";
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
  return budget.list(foreignKeysOf(db, table)).map((columns) => ({
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
  return budget.list(references).map(({ name, columns }) => ({
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
  return budget.list(triggers).map(({ name, sql }) => ({ name, sql: budget.text(sql) }));
}

function describeIndexes(db: Database.Database, table: string, budget: DescriptionBudget): object[] {
  const createStatement = db
    .prepare<[string], string | null>("SELECT sql FROM main.sqlite_schema WHERE type = 'index' AND name = ?")
    .pluck();
  return budget.list(indexesOf(db, table).toReversed()).map(({ name, unique, origin, partial }) => {
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
