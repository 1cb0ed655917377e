// The first rows that a dry run changes, as they were and as they would be. Temporary triggers record them while the statement runs, so
// that changes of keys, and rows that triggers and foreign keys change, are shown too.
import type Database from "better-sqlite3";
import type { SqlValue } from "../csv/dialect.ts";
import type { AllowedStatement } from "../policy/statement-policy.ts";
import { changedRelation, createdOrDropped } from "../policy/schema-change.ts";
import { changeTarget } from "../policy/write-targets.ts";
import type { ChangePreview } from "../protocol/change-messages.ts";
import type { Column } from "../protocol/rows.ts";
import { CollectedRows } from "../rows/collected-rows.ts";
import { RowEncoder } from "../rows/row-encoder.ts";
import { columnsOf, indexColumnsOf, indexesOf, primaryKeyOf, quoteName, rowidName } from "../schema/schema-pragmas.ts";
import { tableNamed } from "../schema/table-list.ts";
import { countsChanges, type Statement } from "../sql/statement.ts";
import type { Engine } from "../engine/engine.ts";
import { withTriggers, type TemporaryTrigger } from "./temporary-triggers.ts";

const MAX_ROWS = 5;
/** Of a table with new columns. */
const NEW_COLUMN_ROWS = 3;
/** SQLite calls functions with at most 127 arguments. */
const MAX_COLUMNS = 100;
const ROW_LIMITS = { maxRows: MAX_ROWS, maxTextLength: 200, maxBlobBytes: 32, omitOversizedRow: true };

/** How many bytes of text the previews of one reply may still take. */
export interface PreviewBudget {
  bytesLeft: number;
}

export const newPreviewBudget = (): PreviewBudget => ({ bytesLeft: 25_000 });

/** The rows of one table. */
interface RecordedTable {
  readonly name: string;
  readonly columns: readonly Column[];
  /** By what happens to them: all of them, and the first. Updates have a row before and one after, of one index. */
  readonly rows: Readonly<Record<RowChange, { count: number; readonly first: SqlValue[][] }>>;
  readonly isTruncated: boolean;
  /** Updated rows whose values stay as they are. */
  unchanged: number;
  /** The row of the present update, as it was. */
  before: readonly SqlValue[];
}

type RowChange = "added" | "deleted" | "updated from" | "updated to";
const noRows = (): RecordedTable["rows"]["added"] => ({ count: 0, first: [] });

/** Runs `act`, which executes the statement, and returns what it changed, the table that the statement names first. */
export function recordChanges<T>(
  engine: Engine,
  allowed: AllowedStatement,
  budget: PreviewBudget,
  act: () => T,
): { result: T; previews: ChangePreview[] } {
  const { prepared, statement, rowEffects } = allowed;
  if (!countsChanges(statement.verb)) return recordNewColumns(engine.db, statement, budget, act);
  if (prepared.reader) return { result: act(), previews: [] };
  const target = changeTarget(statement)?.toLowerCase();
  const names = rowEffects.writesTo.toSorted((one, other) => Number(other.toLowerCase() === target) - Number(one.toLowerCase() === target));
  const recorder = recorderOf(engine.db);
  const triggers = names.flatMap((name, index) =>
    recordingTriggers(engine.db, recorder, { name, index, mayReplace: rowEffects.mayReplace }),
  );
  try {
    const result = withTriggers(engine.db, "preview", triggers, act);
    const recorded = recorder.tables.filter(
      ({ name, rows }) => name.toLowerCase() === target || Object.values(rows).some(({ count }) => count > 0),
    );
    return { result, previews: recorded.map((table) => encoded(table, budget)) };
  } finally {
    recorder.tables = [];
  }
}

/** The first rows of a table as they would be, where a CREATE TABLE … AS or ALTER gives it other columns. */
function recordNewColumns<T>(
  db: Database.Database,
  statement: Statement,
  budget: PreviewBudget,
  act: () => T,
): { result: T; previews: ChangePreview[] } {
  const name = statement.verb === "CREATE" ? createdOrDropped(statement).name : changedRelation(statement);
  const columnsNow = (): Column[] =>
    tableNamed(db, name ?? "")?.type === "table"
      ? columnsOf(db, name ?? "").map((column) => ({ name: column.name, declaredType: column.type }))
      : [];
  const before = columnsNow();
  const result = act();
  const all = columnsNow();
  if (all.length === 0 || all.map((column) => column.name).join() === before.map((column) => column.name).join())
    return { result, previews: [] };
  const columns = all.slice(0, MAX_COLUMNS);
  const list = columns.map((column) => quoteName(column.name)).join(", ");
  const rows = db
    .prepare(`SELECT ${list} FROM main.${quoteName(name ?? "")} LIMIT ${NEW_COLUMN_ROWS + 1}`)
    .raw()
    .safeIntegers()
    .all() as SqlValue[][]; // raw
  const after = encodedRows(columns, rows.slice(0, NEW_COLUMN_ROWS), budget);
  if (after.length === 0) return { result, previews: [] };
  const truncated = all.length > columns.length || rows.length > after.length;
  return { result, previews: [{ table: name ?? "", columns, before: [], after, added: 0, updated: 0, deleted: 0, truncated }] };
}

interface Recorder {
  tables: RecordedTable[];
}

const recorders = new WeakMap<Database.Database, Recorder>();

/** Defines the function that the triggers call. Outside of a recording it does nothing. */
function recorderOf(db: Database.Database): Recorder {
  const known = recorders.get(db);
  if (known !== undefined) return known;
  const recorder: Recorder = { tables: [] };
  db.function("record_row", { varargs: true, safeIntegers: true }, (index: unknown, change: unknown, ...values: unknown[]) => {
    const table = recorder.tables[Number(index)];
    // As the triggers below name them, with what SQLite passes to functions.
    if (table !== undefined) record(table, change as RowChange, values as SqlValue[]);
    return null;
  });
  recorders.set(db, recorder);
  return recorder;
}

function record(table: RecordedTable, change: RowChange, row: SqlValue[]): void {
  const rows = table.rows[change];
  rows.count += 1;
  if (rows.first.length < MAX_ROWS) rows.first.push(row);
  if (change === "updated from") table.before = row;
  if (change !== "updated to") return;
  // The trigger passes a row before and after an update one right after the other.
  if (table.isTruncated || !isSameRow(table.before, row)) return;
  table.unchanged += 1;
  for (const { first } of [table.rows["updated from"], rows]) if (first.at(-1) === table.before || first.at(-1) === row) first.pop();
}

const isSameRow = (one: readonly SqlValue[], other: readonly SqlValue[]): boolean =>
  one.every((value, column) => {
    const after = other[column];
    return value === after || (Buffer.isBuffer(value) && Buffer.isBuffer(after) && value.equals(after));
  });

interface TableToRecord {
  readonly name: string;
  readonly index: number;
  readonly mayReplace: boolean;
}

/** Tables that take no triggers have no preview. */
function recordingTriggers(db: Database.Database, recorder: Recorder, { name, index, mayReplace }: TableToRecord): TemporaryTrigger[] {
  const columns = columnsOf(db, name).map((column) => ({ name: column.name, declaredType: column.type }));
  const isTruncated = columns.length > MAX_COLUMNS;
  const rows = { added: noRows(), deleted: noRows(), "updated from": noRows(), "updated to": noRows() };
  const table = { name, columns: columns.slice(0, MAX_COLUMNS), rows, isTruncated, unchanged: 0, before: [] };
  recorder.tables[index] = table;
  return triggersFor(db, table, index, mayReplace);
}

function triggersFor(db: Database.Database, { name, columns }: RecordedTable, index: number, mayReplace: boolean): TemporaryTrigger[] {
  const record = (change: RowChange, row: string): string =>
    `record_row(${[index, `'${change}'`, ...columns.map((column) => `${row}.${quoteName(column.name)}`)].join(", ")})`;
  const table = quoteName(name);
  const others = mayReplace ? conflictsWith(db, name) : [];
  const replaced = `SELECT ${record("deleted", table)} FROM main.${table} WHERE (${others.join(" OR ")})`;
  const isOther = rowKeyOf(db, name).map((column) => `${table}.${column} IS NOT old.${column}`);
  return [
    { table: name, event: "AFTER INSERT", body: `SELECT ${record("added", "new")}` },
    { table: name, event: "AFTER UPDATE", body: `SELECT ${record("updated from", "old")}, ${record("updated to", "new")}` },
    { table: name, event: "AFTER DELETE", body: `SELECT ${record("deleted", "old")}` },
    ...(others.length === 0
      ? []
      : [
          { table: name, event: "BEFORE INSERT", body: replaced },
          { table: name, event: "BEFORE UPDATE", body: `${replaced} AND (${isOther.join(" OR ")})` },
        ]),
  ];
}

/** What identifies a row: its primary key or row id, quoted. */
function rowKeyOf(db: Database.Database, table: string): string[] {
  const columns = columnsOf(db, table);
  const key = primaryKeyOf(columns).map(quoteName);
  return key.length > 0 ? key : [rowidName(columns.map(({ name }) => name))].flatMap((name) => name ?? []);
}

/** Conditions for the rows that a new one replaces: SQLite fires no triggers for them. */
function conflictsWith(db: Database.Database, name: string): string[] {
  const table = quoteName(name);
  const unique = indexesOf(db, name).filter((index) => index.unique === 1 && index.partial === 0);
  const keys = [
    rowKeyOf(db, name),
    ...unique.map((index) =>
      indexColumnsOf(db, index.name)
        .flatMap((column) => column.name ?? [])
        .map(quoteName),
    ),
  ];
  return keys.filter((key) => key.length > 0).map((key) => key.map((column) => `${table}.${column} = new.${column}`).join(" AND "));
}

function encoded({ name, columns, rows, isTruncated, unchanged }: RecordedTable, budget: PreviewBudget): ChangePreview {
  const { added, deleted, "updated from": from, "updated to": to } = rows;
  const [before = [], after = []] = [
    [...from.first, ...deleted.first],
    [...to.first, ...added.first],
  ].map((first) => encodedRows(columns, first.slice(0, MAX_ROWS), budget));
  const isCut = before.length + after.length < from.count + deleted.count + to.count + added.count - 2 * unchanged;
  const counts = { added: added.count, updated: to.count, deleted: deleted.count, ...(unchanged > 0 && { unchanged }) };
  return { table: name, columns, before, after, ...counts, truncated: isTruncated || isCut };
}

function encodedRows(columns: readonly Column[], rows: SqlValue[][], budget: PreviewBudget): unknown[][] {
  const output = new CollectedRows();
  const encoder = new RowEncoder(columns, { ...ROW_LIMITS, maxBytes: Infinity, maxTextBlockBytes: budget.bytesLeft }, output, {
    usesBigInts: true,
  });
  for (const row of rows) if (!encoder.add(row)) break;
  encoder.end();
  const encoded = output.values();
  budget.bytesLeft -= encoder.bytes + encoded.length * columns.reduce((sum, column) => sum + column.name.length + 4, 20);
  return encoded;
}
