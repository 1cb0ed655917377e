// Indexes that may help a statement: for each table that it scans, or for which SQLite builds an index of its own, the columns that it
// compares and sorts by, together. Whether one helps is tried (index-suggestions.ts), so a wrong candidate costs a try and no more.
import type Database from "better-sqlite3";
import { columnsOf, featureNames, indexColumnsOf, indexesOf, primaryKeyOf } from "../schema/schema-pragmas.ts";
import { allTables, type TableEntry } from "../schema/table-list.ts";
import type { Statement } from "../sql/statement.ts";
import { isSymbol, isWord, type Token } from "../sql/tokens.ts";
import { expressionsOf, type IndexedColumn } from "./index-expressions.ts";
import type { PlanRow } from "./plan-rows.ts";

export interface Candidate {
  readonly table: string;
  readonly columns: readonly IndexedColumn[];
}

export type Literal = string | number | null;
export type RangeSign = "<" | "<=" | ">" | ">=";

/** Whether so many rows have a value in a column, or one beyond it, that an index on it is slower than a scan. */
export type IsFrequent = (table: string, column: string, value: Literal, sign?: RangeSign) => boolean;

/**
 * The best first.
 * @param ofAllTables Also for tables that the plan searches already: another order of the tables may be faster. Default false.
 */
export function candidatesFor(
  db: Database.Database,
  statement: Statement,
  plan: readonly PlanRow[],
  isFrequent: IsFrequent,
  ofAllTables = false,
): Candidate[] {
  const { tokens, sql } = statement;
  const functions = new Set(featureNames(db, "function_list"));
  const tables = allTables(db).filter(({ type }) => type === "table");
  const candidates = plan.flatMap(({ detail }) => {
    const [, verb, name, way] = /^(SCAN|SEARCH) (.+?)(?: EXISTS)?(?: USING (.*?))?(?: LEFT-JOIN)?$/s.exec(detail) ?? [];
    const own = /^AUTOMATIC .*?INDEX \((.*)\)$/s.exec(way ?? "")?.[1];
    // A SEARCH that names no index ends early, and reads all rows until then.
    if (name === undefined || (!ofAllTables && verb === "SEARCH" && way !== undefined && own === undefined)) return [];
    const table = tableNamed(tables, name) ?? tableOfAlias(tokens, name, tables);
    if (table === undefined) return [];
    const names = columnsOf(db, table.name).map((column) => column.name);
    const uses = usesOf(tokens, names, name, (column, value, sign) => isFrequent(table.name, column, value, sign));
    const wanted = own === undefined ? [] : [[...own.matchAll(/(?:^|AND )(.+?)[=<>]/g)].map(([, column = ""]) => ascending(column))];
    const equal = uses.equal.map(ascending);
    const ranges = uses.ranges.map(ascending);
    const expressions = expressionsOf(tokens, sql, { columns: names, name, functions });
    return [
      equal.length === 0 ? uses.rareRanges.slice(0, 1).map(ascending) : [...equal, ...ranges.slice(0, 1)],
      [...equal, ...uses.sorted],
      ...wanted,
      equal,
      ...equal.flatMap((one, at) => equal.slice(at + 1).map((other) => [one, other])),
      ...[...equal, ...uses.rareRanges.map(ascending)].map((column) => [column]),
      [...uses.sorted],
      ...expressions.flatMap((one) => (equal.length === 0 ? [[one]] : [[...equal, one], [one]])),
    ].map((columns): Candidate => ({ table: table.name, columns: distinct(columns) }));
  });
  return distinctBy(candidates, ({ table, columns }) => JSON.stringify([table, columns])).filter((one) => isNew(db, tables, one));
}

const ascending = (name: string): IndexedColumn => ({ name, isDescending: false });

const distinctBy = <T>(items: readonly T[], key: (item: T) => string): T[] =>
  [...new Map(items.toReversed().map((item) => [key(item), item])).values()].toReversed();

const distinct = (columns: readonly IndexedColumn[]): IndexedColumn[] => distinctBy(columns, ({ name }) => name.toLowerCase());

/** Not what the table has already: the row id, the primary key, or the beginning of an index. */
function isNew(db: Database.Database, tables: readonly TableEntry[], { table, columns }: Candidate): boolean {
  const wanted = columns.map(({ name }) => name.toLowerCase());
  const [first] = wanted;
  if (first === undefined) return false;
  const info = columnsOf(db, table);
  const key = primaryKeyOf(info).map((name) => name.toLowerCase());
  const [keyColumn, ...others] = info.filter(({ pk }) => pk > 0);
  const isRowid = others.length === 0 && keyColumn?.type.toUpperCase() === "INTEGER" && tableNamed(tables, table)?.withoutRowid !== true;
  if (isRowid && wanted.includes(key[0] ?? "")) return false;
  const indexes = indexesOf(db, table).filter(({ partial }) => partial === 0);
  const existing = [key, ...indexes.map(({ name }) => indexColumnsOf(db, name).map((column) => column.name?.toLowerCase()))];
  return !existing.some((names) => wanted.every((name, index) => names[index] === name));
}

interface ColumnUses {
  readonly equal: string[];
  readonly ranges: string[];
  /** Without those in which most rows are. */
  readonly rareRanges: string[];
  readonly sorted: IndexedColumn[];
}

/** How the statement uses the columns of a table, which it calls by this name. */
function usesOf(
  tokens: readonly Token[],
  columns: readonly string[],
  name: string,
  isFrequent: (column: string, value: Literal, sign?: RangeSign) => boolean,
): ColumnUses {
  const uses: ColumnUses = { equal: [], ranges: [], rareRanges: [], sorted: [] };
  const set = tokens.findIndex((token) => isWord(token, "SET"));
  const where = tokens.findIndex((token, index) => index > set && isWord(token, "WHERE"));
  for (const [index, token] of tokens.entries()) {
    // What UPDATE assigns is not compared.
    if (set !== -1 && index > set && (where === -1 || index < where)) continue;
    const column =
      token.kind === "word" || token.kind === "name" ? columns.find((one) => one.toLowerCase() === token.value.toLowerCase()) : undefined;
    const isQualified = isSymbol(tokens[index - 1], ".");
    if (column === undefined || isSymbol(tokens[index + 1], "(")) continue;
    if (isQualified && tokens[index - 2]?.value.toLowerCase() !== name.toLowerCase()) continue;
    const comparison = comparisonAt(tokens, index, isQualified);
    const value = comparison === "equal" ? literalAfter(tokens, index) : undefined;
    if (value !== undefined && isFrequent(column, value)) continue;
    if (comparison === "equal") uses.equal.push(column);
    else if (comparison === "range") {
      uses.ranges.push(column);
      const range = rangeAfter(tokens, index);
      if (range === undefined || !isFrequent(column, range.value, range.sign)) uses.rareRanges.push(column);
    } else if (isSortedBy(tokens, index)) uses.sorted.push({ name: column, isDescending: isWord(tokens[index + 1], "DESC") });
  }
  // An index is read in either direction.
  const hasOneDirection = uses.sorted.every(({ isDescending }) => isDescending === uses.sorted[0]?.isDescending);
  return hasOneDirection ? { ...uses, sorted: uses.sorted.map(({ name: column }) => ascending(column)) } : uses;
}

function comparisonAt(tokens: readonly Token[], index: number, isQualified: boolean): "equal" | "range" | undefined {
  const after = [tokens[index + 1], tokens[index + 2]] as const;
  const before = [tokens[isQualified ? index - 3 : index - 1], tokens[isQualified ? index - 4 : index - 2]] as const;
  for (const [near, far] of [after, before]) {
    const signs = `${near?.value ?? ""}${far?.value ?? ""}`;
    if (near?.kind === "symbol" && /^(?:<>|><|!=|=!)/.test(signs)) return undefined;
    if (isSymbol(near, "=")) return isSymbol(far, "<") || isSymbol(far, ">") ? "range" : "equal";
    if (isSymbol(near, "<") || isSymbol(near, ">")) return "range";
  }
  const [next] = after;
  if (isWord(next, "IN") || isWord(next, "IS")) return isWord(after[1], "NOT") ? undefined : "equal";
  return ["BETWEEN", "LIKE", "GLOB"].some((word) => isWord(next, word)) ? "range" : undefined;
}

/** The text, number or NULL to which a column is equal: `= 'x'`, `== 1`, `IS NULL`. Undefined: something else. */
function literalAfter(tokens: readonly Token[], index: number): string | number | null | undefined {
  const [sign, next] = tokens.slice(index + 1, index + 3);
  if (!isSymbol(sign, "=") && !isWord(sign, "IS")) return undefined;
  const value = isSymbol(next, "=") ? tokens[index + 3] : next;
  if (isWord(value, "NULL") && isWord(sign, "IS")) return null;
  return value?.kind === "text" ? value.value : value?.kind === "number" ? Number(value.value.replaceAll("_", "")) : undefined;
}

/** `> 2`, `<= 'x'`. Undefined: something else. */
function rangeAfter(tokens: readonly Token[], index: number): { sign: RangeSign; value: Literal } | undefined {
  const [first, second] = tokens.slice(index + 1, index + 3);
  if (first === undefined || !(isSymbol(first, "<") || isSymbol(first, ">"))) return undefined;
  const isInclusive = isSymbol(second, "=");
  const value = isInclusive ? tokens[index + 3] : second;
  if (value?.kind !== "text" && value?.kind !== "number") return undefined;
  const sign = `${first.value}${isInclusive ? "=" : ""}` as RangeSign; // one of the signs above
  return { sign, value: value.kind === "text" ? value.value : Number(value.value.replaceAll("_", "")) };
}

/** Whether the token stands in a list after ORDER BY or GROUP BY. */
function isSortedBy(tokens: readonly Token[], index: number): boolean {
  const by = tokens.findLastIndex((one, at) => at < index && isWord(one, "BY"));
  return (
    by !== -1 &&
    !tokens.slice(by, index).some((one) => isSymbol(one, "(") || isSymbol(one, ")") || isWord(one, "LIMIT") || isWord(one, "HAVING"))
  );
}

const tableNamed = (tables: readonly TableEntry[], name: string | undefined): TableEntry | undefined =>
  tables.find((table) => table.name.toLowerCase() === name?.toLowerCase());

/** The table of an alias: `orders AS o`, `orders o`. */
function tableOfAlias(tokens: readonly Token[], alias: string, tables: readonly TableEntry[]): TableEntry | undefined {
  const before = tokens.flatMap(({ value }, index) =>
    value.toLowerCase() === alias.toLowerCase() ? [tokens[index - (isWord(tokens[index - 1], "AS") ? 2 : 1)]?.value] : [],
  );
  return before.flatMap((name) => tableNamed(tables, name) ?? [])[0];
}
