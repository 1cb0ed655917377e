// "ambiguous column name": names the column in each table of the statement that has it, by the name that the statement gives the table.
import type Database from "better-sqlite3";
import { clip } from "@oarlock/domain-kit";
import { columnNamesOf, quoteName } from "../../schema/schema-pragmas.ts";
import { userTables } from "../../schema/table-list.ts";
import { isWord, type Token } from "../../sql/tokens.ts";

const MAX_NAMED = 5;
/** What may stand behind the name of a table that has no alias. */
const NO_ALIAS = new Set(
  "CROSS EXCEPT FULL GROUP HAVING INDEXED INNER INTERSECT JOIN LEFT LIMIT NATURAL NOT ON ORDER OUTER RETURNING RIGHT SET UNION USING WHERE WINDOW".split(
    " ",
  ),
);

/** Such as `; say which: a.id, b.id`; empty for other messages. */
export function ambiguityHint(message: string, tokens: readonly Token[], db: Database.Database): string {
  const column = /^ambiguous column name: (?:.*\.)?(.+)$/s.exec(message)?.[1];
  if (column === undefined) return "";
  const tables = tablesIn(tokens, db).filter(({ table }) => columnNamesOf(db, table).some((name) => isSame(name, column)));
  const names = [...new Set(tables.map(({ alias }) => `${plainOrQuoted(alias)}.${plainOrQuoted(column)}`))];
  return names.length < 2 ? "" : `; say which: ${names.slice(0, MAX_NAMED).join(", ")}${names.length > MAX_NAMED ? ", …" : ""}`;
}

function tablesIn(tokens: readonly Token[], db: Database.Database): { readonly table: string; readonly alias: string }[] {
  const known = userTables(db).map(({ name }) => name);
  return tokens.flatMap((token, at) => {
    const table = isName(token) && isSource(tokens[at - 1]) ? known.find((name) => isSame(name, token.value)) : undefined;
    return table === undefined ? [] : [{ table, alias: aliasOf(tokens[at + 1], tokens[at + 2]) ?? token.value }];
  });
}

function aliasOf(next: Token | undefined, afterNext: Token | undefined): string | undefined {
  const alias = isWord(next, "AS") ? afterNext : next;
  return alias !== undefined && isName(alias) && !(alias.kind === "word" && NO_ALIAS.has(alias.value.toUpperCase()))
    ? alias.value
    : undefined;
}

/** What stands before a table in FROM, and not before its name in an expression; a point follows the name of a schema. */
const isSource = (token: Token | undefined): boolean =>
  isWord(token, "FROM") || isWord(token, "JOIN") || [",", ".", "("].includes(token?.value ?? "");

const isName = ({ kind }: Token): boolean => kind === "word" || kind === "name";

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const plainOrQuoted = (name: string): string => (/^[a-z_]\w*$/i.test(name) ? clip(name, 80) : quoteName(clip(name, 80)));
