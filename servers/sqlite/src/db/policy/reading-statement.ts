// Statements that read, with texts in double quotes taken as texts where no name of that kind exists: their own, and those of views.
import type Database from "better-sqlite3";
import { nearestNames } from "@oarlock/domain-kit";
import { readableViews } from "../schema/quoted-texts/views.ts";
import { columnsOrError } from "../schema/schema-pragmas.ts";
import { userTables } from "../schema/table-list.ts";
import { missingQuotedName, withTextFor } from "../sql/quoted-texts.ts";
import { silentSlips } from "../sql/silent-slips.ts";
import { parseStatement, type Statement } from "../sql/statement.ts";
import { allowWithoutCollation } from "./missing-collation.ts";
import { allowRead, type AllowedStatement } from "./statement-policy.ts";

/** Different texts in one statement. */
const MAX_TEXTS = 50;

/** As {@link allowRead}; the result has the texts that were written as names. */
export function allowReadWithTexts(db: Database.Database, sql: string): AllowedStatement {
  const texts: string[] = [];
  let written = sql;
  let given: unknown;
  let readsViews = false;
  for (;;) {
    try {
      const allowed = allowRead(db, written);
      const slips = silentSlips(allowed.statement);
      return { ...allowed, ...(texts.length > 0 && { texts }), ...(slips.length > 0 && { slips }) };
    } catch (error) {
      given ??= error;
      const sorted = allowWithoutCollation(db, written, error);
      if (sorted !== undefined) return texts.length === 0 ? sorted : { ...sorted, texts };
      const name = error instanceof Error ? missingQuotedName(error.message) : undefined;
      if (name === undefined || texts.length === MAX_TEXTS) throw given;
      const statement = parseStatement(written);
      const isText = !texts.includes(name) && !isMisspelt(db, name, statement);
      const next = isText ? withTextFor(name, statement.sql, statement.tokens) : undefined;
      if (next === undefined) {
        if (readsViews || readableViews(db).size === 0) throw given;
        readsViews = true;
        continue;
      }
      texts.push(name);
      written = next;
    }
  }
}

/** Whether a column of a table that the statement names is called nearly so. `note 1%` is a text and no misspelt `note`. */
function isMisspelt(db: Database.Database, name: string, { tokens }: Statement): boolean {
  const words = new Set(tokens.map(({ value }) => value.toLowerCase()));
  const tables = userTables(db).filter((table) => words.has(table.name.toLowerCase()));
  const columns = tables.slice(0, 20).flatMap((table) => columnsOrError(db, table.name).columns.map((column) => column.name));
  const isWordLike = (text: string): boolean => /^\w+$/.test(text);
  const alike = columns.filter((column) => isWordLike(column) === isWordLike(name));
  return nearestNames(name, [...new Set(alike)]).length > 0;
}
