// Errors about texts in double quotes that stand in the schema and not in the statement: which object holds them, and what works.
import type Database from "better-sqlite3";
import { clip } from "@oarlock/domain-kit";
import { missingTextOf } from "../../schema/quoted-texts/objects.ts";
import { objectWithText } from "../../schema/quoted-texts/views.ts";
import { quotedTokens } from "../../sql/quoted-texts.ts";
import type { Token } from "../../sql/tokens.ts";

/** Undefined for another error, and for a text of the statement itself. */
export function schemaTextError(message: string, sql: string, tokens: readonly Token[], db: Database.Database): string | undefined {
  const missing = missingTextOf(message);
  if (missing === undefined) return undefined;
  const { text, type, name } = missing;
  const isOfStatement = name === undefined && quotedTokens(text, sql, tokens).length > 0;
  const holder = name === undefined ? objectWithText(db, text) : { type: type ?? "table", name };
  if (isOfStatement || holder === undefined) return undefined;
  const clipped = clip(text, 80);
  const problem = `The ${holder.type} ${clip(holder.name)} holds the text "${clipped}" in double quotes, which is a name here.`;
  // Statements that change are run with such texts in single quotes: what fails on a connection that reads is the plan of one.
  if (db.readonly) return `${problem} write_query runs the statement all the same, without a plan.`;
  const kind = holder.type.toUpperCase();
  return `${problem} Create it again with '${clipped}' in single quotes: DROP ${kind} and CREATE ${kind} in one run_transaction. Its text is in describe_table.`;
}
