// Changes of all rows of a table by a statement without WHERE, which are meant at times and a slip at others.
import type Database from "better-sqlite3";
import type { AllowedStatement } from "../policy/statement-policy.ts";
import { changeTarget } from "../policy/write-targets.ts";
import { isUpdateOrDelete, type Statement } from "../sql/statement.ts";
import { isSymbol, isWord } from "../sql/tokens.ts";
import { countOf } from "./altered-rows.ts";

/** The table of an UPDATE or DELETE without WHERE that has changed each of its rows, two at least. Called after the change. */
export function wholeTableOf(db: Database.Database, { statement, targetType }: AllowedStatement, changes: number): string | undefined {
  const { verb } = statement;
  if (changes < 2 || targetType !== "table" || !isUpdateOrDelete(verb) || hasCondition(statement)) return undefined;
  const table = changeTarget(statement);
  if (table === undefined) return undefined;
  // UPDATE … FROM and OR IGNORE may leave rows out.
  const rows = verb === "DELETE" ? changes : countOf(db, table);
  return rows === changes ? table : undefined;
}

/** Whether WHERE stands outside of brackets, in which subqueries are. */
function hasCondition({ tokens, verbIndex }: Statement): boolean {
  let depth = 0;
  return tokens.slice(verbIndex).some((token) => {
    if (isSymbol(token, "(")) depth += 1;
    else if (isSymbol(token, ")")) depth -= 1;
    return depth === 0 && isWord(token, "WHERE");
  });
}
