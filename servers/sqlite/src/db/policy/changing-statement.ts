// Statements that change data and read views with texts in double quotes: such a view is read as the program that wrote it does.
import type Database from "better-sqlite3";
import { readableViews } from "../schema/quoted-text-views.ts";
import { missingQuotedName } from "../sql/quoted-texts.ts";
import { silentSlips } from "../sql/silent-slips.ts";
import { countsChanges, parseStatement } from "../sql/statement.ts";
import { allowWrite, type AllowedStatement } from "./statement-policy.ts";
import { namedTarget } from "./touched-tables.ts";

/**
 * As {@link allowWrite}. A view that is itself the target stays an error: the temporary view in its place has no INSTEAD OF triggers. So do
 * ALTER and DROP, which are for the file's own views.
 */
export function allowWriteWithViews(db: Database.Database, sql: string): AllowedStatement {
  const allowed = allowWithViews(db, sql);
  const slips = silentSlips(allowed.statement);
  return slips.length === 0 ? allowed : { ...allowed, slips };
}

function allowWithViews(db: Database.Database, sql: string): AllowedStatement {
  try {
    return allowWrite(db, sql);
  } catch (error) {
    if (!(error instanceof Error) || missingQuotedName(error.message) === undefined) throw error;
    const statement = parseStatement(sql);
    const target = namedTarget(statement);
    if (target === undefined || !(countsChanges(statement.verb) || statement.verb === "CREATE")) throw error;
    const views = readableViews(db);
    if (views.size === 0 || views.has(target.toLowerCase())) throw error;
    return allowWrite(db, sql);
  }
}
