// What refers to a table: full-text tables that show its texts, views and triggers that read it, and foreign keys.
import type Database from "better-sqlite3";
import { clip } from "@oarlock/domain-kit";
import { isName, isSymbol, isWord, tokensOf, type Token } from "../sql/tokens.ts";
import { columnNamesOf, columnsOrError, foreignKeysOf, rowidName } from "./schema-pragmas.ts";
import { moduleOf, tableNamed, userTables } from "./table-list.ts";

/** A full-text table without texts of its own that cannot read those of the other table. */
export interface BrokenFullTextTable {
  readonly name: string;
  /** What is missing, in words. */
  readonly missing: string;
}

/** Full-text tables whose texts are in a table or a column that does not exist. */
export function brokenFullTextTables(db: Database.Database): BrokenFullTextTable[] {
  return virtualTables(db).flatMap(({ name, sql }) => {
    const missing = missingContent(db, name, sql);
    return missing === undefined ? [] : [{ name, missing }];
  });
}

function missingContent(db: Database.Database, name: string, sql: string): string | undefined {
  const module = moduleOf(sql);
  const options = optionsOf(sql);
  const content = options.get("content");
  if (!["fts5", "fts4"].includes(module) || content === undefined || content === "") return undefined;
  const source = tableNamed(db, content);
  if (source === undefined) return `the table ${clip(content)}`;
  const columns = columnNamesOf(db, source.name);
  const known = new Set(columns.map((column) => column.toLowerCase()));
  const rowid = options.get("content_rowid") ?? rowidName(columns) ?? "rowid";
  const needsRowid = module === "fts5" && !["rowid", "_rowid_", "oid"].includes(rowid.toLowerCase());
  // A table whose tokenizer is not here has no columns to compare.
  const wanted = [...columnsOrError(db, name).columns.map((column) => column.name), ...(needsRowid ? [rowid] : [])];
  const lost = wanted.find((column) => !known.has(column.toLowerCase()));
  return lost === undefined ? undefined : `the column ${clip(lost)} of ${clip(source.name)}`;
}

interface SchemaRow {
  readonly name: string;
  readonly sql: string;
}

const virtualTables = (db: Database.Database): SchemaRow[] =>
  db.prepare<[], SchemaRow>("SELECT name, sql FROM main.sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE%VIRTUAL%content%'").all();

/** The `name = value` among the arguments of a virtual table, names in lower case. */
export function optionsOf(sql: string): Map<string, string> {
  const tokens = tokensOf(sql);
  const isOption = (index: number): boolean => isName(tokens[index - 1]) && isSymbol(tokens[index], "=");
  return new Map(
    tokens.flatMap((_, index): [string, string][] =>
      isOption(index) ? [[tokens[index - 1]?.value.toLowerCase() ?? "", tokens[index + 1]?.value ?? ""]] : [],
    ),
  );
}

/** The views, triggers of other tables and foreign keys that refer to a table or view, in words. */
export function referencesTo(db: Database.Database, table: string): string[] {
  const rows = db
    .prepare<[string], SchemaRow & { type: string }>(
      "SELECT type, name, sql FROM main.sqlite_schema WHERE type IN ('view', 'trigger') AND tbl_name <> ? COLLATE NOCASE ORDER BY type, name",
    )
    .all(table);
  const reading = rows.filter(({ sql }) => reads(tokensOf(sql), table.toLowerCase()));
  const keys = userTables(db).filter(
    ({ name, type }) =>
      type === "table" &&
      name.toLowerCase() !== table.toLowerCase() &&
      foreignKeysOf(db, name).some(([column]) => column?.table.toLowerCase() === table.toLowerCase()),
  );
  return [...reading.map(({ type, name }) => `the ${type} ${clip(name)}`), ...keys.map(({ name }) => `the foreign key of ${clip(name)}`)];
}

/** Whether the name stands where statements name their tables. A column of that name after a comma is taken for it. */
function reads(tokens: readonly Token[], table: string): boolean {
  return tokens.some((token, index) => {
    if (!isName(token) || token.value.toLowerCase() !== table) return false;
    const before = tokens[index - 1];
    return ["FROM", "JOIN", "INTO", "UPDATE"].some((word) => isWord(before, word)) || isSymbol(before, ",") || isSymbol(before, ".");
  });
}
