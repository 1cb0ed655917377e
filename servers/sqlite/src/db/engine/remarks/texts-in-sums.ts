// Sums and means of a column that has texts which are not numbers: SQLite takes the number that a text begins with, or 0.
// https://sqlite.org/lang_aggfunc.html#avg
import type Database from "better-sqlite3";
import { clip } from "@oarlock/domain-kit";
import { affinityOf } from "../../sql/affinity.ts";
import type { Statement } from "../../sql/statement.ts";
import { isSymbol, isWord, type Token } from "../../sql/tokens.ts";
import { columnAt, firstRows, literal } from "./comparisons.ts";

/** Rows that are looked at. */
const MAX_ROWS = 20_000;
const FUNCTIONS = /^(?:sum|avg|total)$/i;

export function textsInSums(db: Database.Database, statement: Statement): string[] {
  const { tokens } = statement;
  const remarks = tokens.flatMap((token, index) => {
    const at = FUNCTIONS.test(token.value) ? argumentAt(tokens, index + 1) : undefined;
    const column = at === undefined ? undefined : columnAt(db, statement, at);
    // What other columns hold are numbers, but for a few odd values.
    if (column === undefined || !["text", "none", "numeric"].includes(affinityOf(column.type))) return [];
    const sql = `SELECT v ${firstRows(column, MAX_ROWS)} WHERE typeof(v) = 'text' AND (trim(v) = '' OR trim(v) GLOB '*[^0-9.eE+-]*') LIMIT 1`;
    const example = db.prepare<[], string>(sql).pluck().get();
    return example === undefined
      ? []
      : [`sum() and avg() read texts of ${clip(column.column)} such as ${literal(example)} in part or as 0`];
  });
  return [...new Set(remarks)];
}

/** The column that is the whole argument, or what CAST makes a number. */
function argumentAt(tokens: readonly Token[], bracket: number): number | undefined {
  if (!isSymbol(tokens[bracket], "(")) return undefined;
  const first = isWord(tokens[bracket + 1], "DISTINCT") ? bracket + 2 : bracket + 1;
  const isCast = isWord(tokens[first], "CAST") && isSymbol(tokens[first + 1], "(");
  const start = isCast ? first + 2 : first;
  const end = isSymbol(tokens[start + 1], ".") ? start + 2 : start;
  const next = tokens[end + 1];
  return (isCast ? isWord(next, "AS") : isSymbol(next, ")")) ? end : undefined;
}
