// Statements that sort by a collation of the program that made the database: they sort by NOCASE, and count without its indexes.
import type Database from "better-sqlite3";
import { isObjectError } from "../engine/sqlite-errors.ts";
import { editsWithoutCollation, withEdits, type Edit } from "../sql/sort-terms.ts";
import { parseStatement } from "../sql/statement.ts";
import { allowRead, type AllowedStatement } from "./statement-policy.ts";

const MISSING = /^no such collation sequence: (.+)$/s;

/** Undefined where the error is another one, or where more than the order depends on the collation: a comparison, a group, a view. */
export function allowWithoutCollation(db: Database.Database, sql: string, error: unknown): AllowedStatement | undefined {
  const collation = error instanceof Error ? MISSING.exec(error.message)?.[1] : undefined;
  if (collation === undefined) return undefined;
  const statement = parseStatement(sql);
  const allEdits = editsWithoutCollation(statement.tokens);
  const allowedWith = (edits: readonly Edit[]): AllowedStatement | undefined => allowOrMissing(db, withEdits(statement.sql, edits));
  let allowed = allowedWith(allEdits);
  if (allowed === undefined) return undefined;
  let edits = allEdits;
  // What needs no edit keeps its index and its order.
  for (const edit of allEdits) {
    const fewer = edits.filter((one) => one !== edit);
    const without = allowedWith(fewer);
    if (without === undefined) continue;
    allowed = without;
    edits = fewer;
  }
  const columns = allowed.columns.map((column) => ({ ...column, name: column.name.replaceAll(/\b(count\s*\(\s*)1(\s*\))/gi, "$1*$2") }));
  return {
    ...allowed,
    columns,
    columnsJson: JSON.stringify(columns),
    ...(edits.some(({ sorts }) => sorts) && { missingCollation: collation }),
  };
}

function allowOrMissing(db: Database.Database, sql: string): AllowedStatement | undefined {
  try {
    return allowRead(db, sql);
  } catch (error) {
    if (isObjectError(error)) return undefined;
    throw error;
  }
}
