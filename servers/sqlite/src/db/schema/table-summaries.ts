// Names, columns and sizes of the tables and views of a database, page by page.
import type Database from "better-sqlite3";
import type { Engine } from "../engine/engine.ts";
import { retryWhileBusy } from "../engine/lock-retry.ts";
import type { TablesReply, TablesRequest, TableSummary } from "../protocol/schema-messages.ts";
import { matchesPattern } from "./name-pattern.ts";
import { mixedForms } from "./mixed-forms.ts";
import { estimateRows } from "./row-estimate.ts";
import { columnsOrError } from "./schema-pragmas.ts";
import { userTables, type TableEntry } from "./table-list.ts";
import { foreignKeyLines, repeatedValues, sampleLines } from "./table-outline.ts";
import { timeColumns } from "./time-columns.ts";

/** After this time, further views of a reply are named without their columns: views upon many others take long each. */
const MAX_VIEWS_MS = 2000;
/** With more tables, a full list has no rows of them. */
const MAX_SAMPLED_TABLES = 30;
/** After this time, further tables of a reply have no forms of their texts. */
const MAX_FORMS_MS = 500;
/** A CREATE statement that is larger than a whole reply is truncated to this length, in characters. */
const MAX_SQL_LENGTH = 20_000;

/** The tables in the order of their names, without shadow tables and SQLite's own. */
export function listTables({ db }: Engine, request: TablesRequest): TablesReply {
  return retryWhileBusy(() => {
    const { after, includeViews, pattern, detail, maxTables, maxBytes } = request;
    const viewsUntil = performance.now() + MAX_VIEWS_MS;
    const formsUntil = performance.now() + MAX_FORMS_MS;
    const matching = tablesMatching(db, pattern, viewsUntil);
    const listed = matching.filter(({ type }) => type !== "view" || includeViews);
    const wanted = listed.filter(({ name }) => after === undefined || name > after);
    const isSmall = listed.length <= MAX_SAMPLED_TABLES;
    const tables: TableSummary[] = [];
    let left = maxBytes;
    for (const entry of wanted) {
      const isLate = entry.type === "view" && performance.now() > viewsUntil;
      const complete = isLate
        ? lateView(entry.name)
        : { ...summaryOf(db, entry, detail), ...(detail === "full" && outlineOf(db, entry, isSmall, formsUntil)) };
      const summary = tables.length === 0 ? shortened(complete, maxBytes) : complete;
      left -= replyBytes(summary);
      if (tables.length === maxTables || (left < 0 && tables.length > 0)) return { tables, hasMore: true };
      tables.push(summary);
    }
    return { tables, hasMore: false };
  });
}

/** Tables with a matching name; if there are none, those with a matching column. */
function tablesMatching(db: Database.Database, pattern: string | undefined, viewsUntil: number): TableEntry[] {
  const tables = userTables(db);
  const byName = tables.filter(({ name }) => matchesPattern(name, pattern));
  if (byName.length > 0) return byName;
  return tables.filter(({ name, type }) => {
    const isLate = type === "view" && performance.now() > viewsUntil;
    return !isLate && columnsOrError(db, name).columns.some((column) => matchesPattern(column.name, pattern));
  });
}

const lateView = (name: string): TableSummary => ({
  name,
  type: "view",
  error: "Columns not read: the views before it took too long. Use describe_table for them.",
});

/** An upper bound: a summary stands in a reply twice, with a backslash before each quote in one of them. */
const replyBytes = (summary: TableSummary): number => 3 * JSON.stringify(summary).length + 10;

/** Truncates the statement of a table that is larger than a whole reply, and omits its columns where that is not enough. */
function shortened(summary: TableSummary, maxBytes: number): TableSummary {
  if (replyBytes(summary) <= maxBytes) return summary;
  const { columns, sql, ...rest } = summary;
  const cut = {
    ...rest,
    ...(sql !== undefined && { sql: `${sql.slice(0, Math.min(MAX_SQL_LENGTH, maxBytes / 20))}…` }),
    truncated: true,
  } as const;
  const withColumns = { ...cut, ...(columns !== undefined && { columns }) };
  return replyBytes(withColumns) <= maxBytes
    ? withColumns
    : { ...cut, error: `It has ${columns?.length} columns: their names are larger than a reply.` };
}

function summaryOf(db: Database.Database, { name, type, withoutRowid, strict }: TableEntry, detail: TablesRequest["detail"]): TableSummary {
  const shownType = type === "shadow" ? "table" : type;
  if (detail === "names") return { name, type: shownType };
  const { columns, error } = columnsOrError(db, name);
  const names = columns.map((column) => column.name);
  const rowEstimate = type === "table" && !withoutRowid ? estimateRows(db, name, names) : undefined;
  return {
    name,
    type: shownType,
    ...(error === undefined ? { columns: names } : { error }),
    ...(rowEstimate !== undefined && { rowEstimate }),
    ...(strict && { strict }),
    ...(withoutRowid && { withoutRowid }),
    ...(detail === "full" && { sql: createStatementOf(db, name) }),
  };
}

/** With `detail` full. Views have no rows here: some take long. */
function outlineOf(db: Database.Database, { name, type }: TableEntry, withSample: boolean, formsUntil: number): Partial<TableSummary> {
  const foreignKeys = type === "table" ? foreignKeyLines(db, name) : [];
  const sample = withSample && type !== "view" ? sampleLines(db, name) : [];
  const values = withSample && type === "table" ? repeatedValues(db, name) : {};
  const times = withSample && type === "table" ? timeColumns(db, name) : {};
  const forms = withSample && type === "table" && performance.now() < formsUntil ? mixedForms(db, name) : {};
  return {
    ...(foreignKeys.length > 0 && { foreignKeys }),
    ...(sample.length > 0 && { sample }),
    ...(Object.keys(values).length > 0 && { values }),
    ...(Object.keys(times).length > 0 && { times }),
    ...(Object.keys(forms).length > 0 && { forms }),
  };
}

export const createStatementOf = (db: Database.Database, name: string): string =>
  db
    .prepare<[string], string | null>("SELECT sql FROM main.sqlite_schema WHERE name = ? AND type IN ('table', 'view')")
    .pluck()
    .get(name) ?? "";
