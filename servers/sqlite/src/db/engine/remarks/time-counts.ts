// Dates of columns that count milliseconds or the like: a function that takes them for seconds or Julian days gives NULL.
import type Database from "better-sqlite3";
import { clip } from "@oarlock/domain-kit";
import { timeColumns } from "../../schema/time-columns.ts";
import type { Statement } from "../../sql/statement.ts";
import { isSymbol, type Token } from "../../sql/tokens.ts";
import { columnAt } from "./comparisons.ts";

const FUNCTIONS = /^(?:date|datetime|time|strftime|julianday)$/i;

export function misreadTimes(db: Database.Database, statement: Statement): string[] {
  const { tokens } = statement;
  const remarks = tokens.flatMap((token, index) => {
    if (!FUNCTIONS.test(token.value) || !isSymbol(tokens[index + 1], "(")) return [];
    const start = /^strftime$/i.test(token.value) ? index + 4 : index + 2;
    const at = isSymbol(tokens[start + 1], ".") ? start + 2 : start;
    const modifier = modifierAfter(tokens, at);
    if (modifier === undefined) return [];
    const column = columnAt(db, statement, at);
    const read = column === undefined ? undefined : timeColumns(db, column.table)[column.column];
    const isSeconds = read !== undefined && !/[-+/]/.test(read);
    if (column === undefined || read === undefined || (isSeconds && modifier !== "")) return [];
    return [`${clip(column.column)} is read by ${read}`];
  });
  return [...new Set(remarks)];
}

/** 'unixepoch' or 'auto'; empty where the column is the only argument, undefined where another one follows. */
function modifierAfter(tokens: readonly Token[], at: number): string | undefined {
  const [sign, modifier] = tokens.slice(at + 1, at + 3);
  if (isSymbol(sign, ")")) return "";
  return isSymbol(sign, ",") && modifier?.kind === "text" && /^(?:unixepoch|auto)$/i.test(modifier.value) ? modifier.value : undefined;
}
