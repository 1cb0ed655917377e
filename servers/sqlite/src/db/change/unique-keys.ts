// Unique keys as terms of SQL, by which the rows with the same values are found.
import type Database from "better-sqlite3";
import { indexColumnsOf, indexesOf, quoteName } from "../schema/schema-pragmas.ts";
import { isName, isSymbol, isWord, tokensOf } from "../sql/tokens.ts";

export interface UniqueKey {
  readonly table: string;
  /** Columns or expressions, with their collations. */
  readonly terms: readonly string[];
  /** Of an index on some rows only. */
  readonly where?: string;
}

/** The key of `CREATE UNIQUE INDEX name ON table (terms) WHERE …`. */
export function keyOfIndex(sql: string): UniqueKey | undefined {
  const tokens = tokensOf(sql);
  const on = tokens.findIndex((token) => isWord(token, "ON"));
  const table = tokens[on + 1];
  if (on === -1 || !isName(table)) return undefined;
  const terms: string[] = [];
  let depth = 0;
  let start = 0;
  for (const [index, token] of tokens.entries()) {
    if (index < on + 2) continue;
    if (isSymbol(token, "(")) depth += 1;
    if (isSymbol(token, ")")) depth -= 1;
    if (depth === 1 && start === 0) start = token.end;
    const isEnd = depth === 0;
    if (!isEnd && !(depth === 1 && isSymbol(token, ","))) continue;
    terms.push(
      sql
        .slice(start, token.start)
        .trim()
        .replace(/\s(?:asc|desc)$/i, ""),
    );
    start = token.end;
    if (!isEnd) continue;
    const where = isWord(tokens[index + 1], "WHERE") ? sql.slice(tokens[index + 1]?.end) : undefined;
    return { table: table.value, terms, ...(where !== undefined && { where }) };
  }
  return undefined;
}

/** The key of a table that an error names: `t.a, t.b`, or an index on expressions. */
export function failedKeyOf(db: Database.Database, table: string, name: string): UniqueKey | undefined {
  const keyOf = (index: string | undefined): UniqueKey | undefined =>
    keyOfIndex(
      db
        .prepare<[string | undefined, string], string | null>("SELECT sql FROM main.sqlite_schema WHERE name = ? AND tbl_name = ?")
        .pluck()
        .get(index, table) ?? "",
    );
  const index = /^index '(.+)'$/s.exec(name)?.[1];
  if (index !== undefined) return keyOf(index);
  const columns = name.split(", ").map((column) => column.slice(table.length + 1));
  for (const { name: unique, origin } of indexesOf(db, table).filter((one) => one.unique === 1)) {
    const ofIndex = indexColumnsOf(db, unique);
    if (ofIndex.map((column) => column.name).join("\0") !== columns.join("\0")) continue;
    if (origin === "c") return keyOf(unique);
    return { table, terms: ofIndex.map((column) => `${quoteName(column.name ?? "")} COLLATE ${quoteName(column.coll)}`) };
  }
  return { table, terms: columns.map(quoteName) };
}

/** The rows of a key's table that the key is about and has values for, as a condition. */
export const rowsOfKey = ({ terms, where }: UniqueKey): string =>
  [...terms.map((term) => `(${term}) IS NOT NULL`), ...(where === undefined ? [] : [`(${where}\n)`])].join(" AND ");
