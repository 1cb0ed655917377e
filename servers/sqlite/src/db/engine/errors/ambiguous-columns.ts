// "ambiguous column name": names the column in each table of the statement that has it, by the name that the statement gives the table.
import type Database from "better-sqlite3";
import { clip } from "@oarlock/domain-kit";
import { columnNamesOf, quoteName } from "../../schema/schema-pragmas.ts";
import type { Token } from "../../sql/tokens.ts";
import { isSame, namedTables } from "../named-tables.ts";

const MAX_NAMED = 5;
/** Such as `; say which: a.id, b.id`; empty for other messages. */
export function ambiguityHint(message: string, tokens: readonly Token[], db: Database.Database): string {
  const column = /^ambiguous column name: (?:.*\.)?(.+)$/s.exec(message)?.[1];
  if (column === undefined) return "";
  const tables = namedTables(tokens, db).filter(({ table }) => columnNamesOf(db, table).some((name) => isSame(name, column)));
  const names = [...new Set(tables.map(({ alias }) => `${plainOrQuoted(alias)}.${plainOrQuoted(column)}`))];
  return names.length < 2 ? "" : `; say which: ${names.slice(0, MAX_NAMED).join(", ")}${names.length > MAX_NAMED ? ", …" : ""}`;
}

const plainOrQuoted = (name: string): string => (/^[a-z_]\w*$/i.test(name) ? clip(name, 80) : quoteName(clip(name, 80)));
