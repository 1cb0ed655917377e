// Commands to full-text tables: `INSERT INTO t(t) VALUES ('delete-all')` is a value for the column that has the table's name.
// https://sqlite.org/fts5.html#special_insert_commands
import type Database from "better-sqlite3";
import { isName, isSymbol, isWord, tokensOf, type Token } from "../sql/tokens.ts";

/** Commands that remove no rows. */
const HARMLESS = new Set(
  "automerge crisismerge deletemerge flush hashsize integrity-check merge optimize pgsz rank rebuild secure-delete usermerge".split(" "),
);
/** Removes a row from an index. In a trigger it belongs to a change of the indexed table, which is counted. */
const HARMLESS_IN_TRIGGERS = new Set([...HARMLESS, "delete"]);

export interface TableCommand {
  readonly table: string;
  readonly mayRemoveRows: boolean;
}

/** The commands in a statement. */
export const commandsIn = (tokens: readonly Token[], harmless: ReadonlySet<string> = HARMLESS): TableCommand[] =>
  tokens.flatMap((token, index) => (isWord(token, "INTO") ? (commandAt(tokens, index + 1, harmless) ?? []) : []));

export const commandsInTriggers = (db: Database.Database): TableCommand[] =>
  db
    .prepare<[], string>("SELECT sql FROM main.sqlite_schema WHERE type = 'trigger'")
    .pluck()
    .all()
    .flatMap((sql) => commandsIn(tokensOf(sql), HARMLESS_IN_TRIGGERS));

/** Undefined where the INSERT into the table at this index has no value for the column that takes commands. */
function commandAt(tokens: readonly Token[], index: number, harmless: ReadonlySet<string>): TableCommand | undefined {
  const nameIndex = isSymbol(tokens[index + 1], ".") ? index + 2 : index;
  const table = tokens[nameIndex]?.value ?? "";
  const open = isWord(tokens[nameIndex + 1], "AS") ? nameIndex + 3 : nameIndex + 1;
  if (!isSymbol(tokens[open], "(")) return undefined;
  const close = closingBracket(tokens, open);
  const columns = tokens.slice(open + 1, close).flatMap((token) => (isName(token) ? [token.value.toLowerCase()] : []));
  const column = columns.indexOf(table.toLowerCase());
  if (column === -1) return undefined;
  return { table, mayRemoveRows: column > 0 || !isOneOf(harmless, tokens, close + 1) };
}

/** Whether the statement continues with one row of values, of which the first is one of these texts. */
function isOneOf(commands: ReadonlySet<string>, tokens: readonly Token[], index: number): boolean {
  const [values, open, command, next] = tokens.slice(index, index + 4);
  if (!isWord(values, "VALUES") || !isSymbol(open, "(") || command?.kind !== "text" || !commands.has(command.value)) return false;
  const isComplete = isSymbol(next, ",") || isSymbol(next, ")");
  return isComplete && !isSymbol(tokens[closingBracket(tokens, index + 1) + 1], ",");
}

function closingBracket(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at += 1) {
    if (isSymbol(tokens[at], "(")) depth += 1;
    else if (isSymbol(tokens[at], ")") && --depth === 0) return at;
  }
  return tokens.length;
}
