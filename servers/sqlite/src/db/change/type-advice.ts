// What types of other databases mean to SQLite, which takes any word as a type: one sentence after CREATE TABLE and ALTER TABLE … ADD.
import type Database from "better-sqlite3";
import { clip } from "@oarlock/domain-kit";
import { changedRelation, createdOrDropped } from "../policy/schema-change.ts";
import { columnsOf } from "../schema/schema-pragmas.ts";
import { tableNamed } from "../schema/table-list.ts";
import type { Statement } from "../sql/statement.ts";

const NUMBERED = /serial|identity|auto_?increment/i;

/** Undefined where each type means what it says. */
export function typeAdvice(db: Database.Database, statement: Statement): string | undefined {
  const name = statement.verb === "CREATE" ? createdOrDropped(statement).name : changedRelation(statement);
  const table = tableNamed(db, name ?? "");
  if (table?.type !== "table") return undefined;
  const columns = columnsOf(db, table.name);
  const keys = columns.filter(({ pk }) => pk > 0);
  const isNumberedInVain = ({ type, pk }: (typeof columns)[number]): boolean =>
    NUMBERED.test(type) || (pk > 0 && keys.length === 1 && !table.withoutRowid && /int/i.test(type) && !/^integer$/i.test(type));
  const numbered = columns.find(isNumberedInVain);
  if (numbered !== undefined)
    return `${clip(numbered.name)} ${clip(numbered.type, 40)} gets no number by itself: only INTEGER PRIMARY KEY does in SQLite.`;
  const string = columns.find(({ type }) => /^string\b/i.test(type));
  return string === undefined ? undefined : `${clip(string.name)}: STRING is a numeric type in SQLite, where '007' becomes 7. Use TEXT.`;
}
