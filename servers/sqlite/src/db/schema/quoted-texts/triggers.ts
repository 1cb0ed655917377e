// Triggers that hold texts in double quotes, which SQLite takes for names here, and what keeps changes from being compiled.
import type Database from "better-sqlite3";
import { isObjectError } from "../../engine/sqlite-errors.ts";
import { missingQuotedName, quotedTokens } from "../../sql/quoted-texts.ts";
import { isWord, quoteName, tokensOf } from "../../sql/tokens.ts";
import { columnsOrError } from "../schema-pragmas.ts";
import { userTables } from "../table-list.ts";

/** Changes of views upon views take long to compile. */
const MAX_MS = 2000;

export interface QuotedTextTrigger {
  readonly name: string;
  readonly texts: readonly string[];
}

interface TriggerRow {
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string;
}

export function triggersWithQuotedTexts(db: Database.Database): QuotedTextTrigger[] {
  const triggers = db
    .prepare<[], TriggerRow>(
      `SELECT name, tbl_name, sql FROM main.sqlite_schema WHERE type = 'trigger' AND instr(sql, '"') ORDER BY tbl_name COLLATE NOCASE, name`,
    )
    .all();
  const until = performance.now() + MAX_MS;
  return [...Map.groupBy(triggers, ({ tbl_name: table }) => table.toLowerCase())].flatMap(([table, ofTable]) => {
    const missing = performance.now() > until ? [] : textsThatFail(db, table);
    if (missing.length === 0) return [];
    return ofTable.flatMap((trigger) => {
      const texts = textsOf(db, trigger, missing);
      return texts.length === 0 ? [] : [{ name: trigger.name, texts }];
    });
  });
}

/** SQLite compiles all triggers with a change, and names the first text that it finds. */
function textsThatFail(db: Database.Database, table: string): string[] {
  return errorsOfChanges(db, table).flatMap((error) => missingQuotedName(error.message) ?? []);
}

/** Why INSERT, UPDATE and DELETE on a table or view cannot be compiled with its triggers. */
export function errorsOfChanges(db: Database.Database, table: string): Error[] {
  const name = `main.${quoteName(table)}`;
  const columns = columnsOrError(db, table).columns.filter(({ hidden }) => hidden === 0);
  const assigned = columns.map((column) => `${quoteName(column.name)} = NULL`).join(", ");
  const changes = [`INSERT INTO ${name} DEFAULT VALUES`, `UPDATE ${name} SET ${assigned}`, `DELETE FROM ${name}`];
  return changes.flatMap((sql) => {
    try {
      db.prepare(sql);
      return [];
    } catch (error) {
      if (!isObjectError(error)) throw error;
      return error;
    }
  });
}

/** What stands in double quotes and is a text that fails, or no name of what the trigger uses: SQLite does not come so far. */
function textsOf(db: Database.Database, { name, sql }: TriggerRow, missing: readonly string[]): string[] {
  const tokens = tokensOf(sql);
  const words = new Set(tokens.map(({ value }) => value.toLowerCase()));
  const tables = userTables(db).filter((table) => words.has(table.name.toLowerCase()));
  const aliases = tokens.flatMap((token, index) => (isWord(tokens[index - 1], "AS") ? [token.value] : []));
  const columns = tables.flatMap((table) => columnsOrError(db, table.name).columns.map((column) => column.name));
  const names = new Set([name, ...tables.map((table) => table.name), ...columns, ...aliases].map((one) => one.toLowerCase()));
  const isText = (value: string): boolean => missing.includes(value) || !names.has(value.toLowerCase());
  const quoted = new Set(tokens.flatMap(({ value, kind }) => (kind === "name" ? [value] : [])));
  return [...quoted].filter((value) => isText(value) && quotedTokens(value, sql, tokens).length > 0);
}
