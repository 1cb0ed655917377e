// The tables that a statement names, each with the name that its columns may have before them.
import type Database from "better-sqlite3";
import { userTables } from "../schema/table-list.ts";
import { isWord, type Token } from "../sql/tokens.ts";

/** What may stand behind the name of a table that has no alias. */
const NO_ALIAS = new Set(
  "CROSS EXCEPT FULL GROUP HAVING INDEXED INNER INTERSECT JOIN LEFT LIMIT NATURAL NOT ON ORDER OUTER RETURNING RIGHT SET UNION USING WHERE WINDOW".split(
    " ",
  ),
);

export interface NamedTable {
  readonly table: string;
  readonly alias: string;
}

export function namedTables(tokens: readonly Token[], db: Database.Database): NamedTable[] {
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
  isWord(token, "FROM") || isWord(token, "JOIN") || isWord(token, "UPDATE") || [",", ".", "("].includes(token?.value ?? "");

const isName = ({ kind }: Token): boolean => kind === "word" || kind === "name";

export const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
