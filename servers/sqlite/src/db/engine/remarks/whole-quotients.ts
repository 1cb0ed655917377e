// Quotients of two columns of integers, where a row loses decimals.
import type Database from "better-sqlite3";
import { quoteName } from "../../schema/schema-pragmas.ts";
import type { Statement } from "../../sql/statement.ts";
import { isSymbol } from "../../sql/tokens.ts";
import { columnAt } from "./comparisons.ts";

/** Rows that are looked at. */
const MAX_ROWS = 20_000;

export function wholeQuotients(db: Database.Database, statement: Statement): string[] {
  const { tokens } = statement;
  const remarks = tokens.flatMap((token, index) => {
    if (!isSymbol(token, "/") || isSymbol(tokens[index + 2], "(")) return [];
    const start = isSymbol(tokens[index - 2], ".") ? index - 3 : index - 1;
    // `1.0 * a / b` has decimals.
    if (["*", "+", "-", "/"].some((sign) => isSymbol(tokens[start - 1], sign))) return [];
    const over = isSymbol(tokens[index + 2], ".") ? index + 3 : index + 1;
    const [upper, lower] = [columnAt(db, statement, index - 1), columnAt(db, statement, over)];
    if (upper === undefined || lower === undefined || upper.table !== lower.table) return [];
    if (![upper, lower].every(({ type }) => /int/i.test(type))) return [];
    const [a, b] = [quoteName(upper.column), quoteName(lower.column)];
    const rows = `(SELECT ${a} AS a, ${b} AS b FROM main.${quoteName(upper.table)} LIMIT ${MAX_ROWS})`;
    const sql = `SELECT 1 FROM ${rows} WHERE typeof(a) = 'integer' AND typeof(b) = 'integer' AND b <> 0 AND a % b <> 0 LIMIT 1`;
    if (db.prepare(sql).get() === undefined) return [];
    return [`${upper.column} / ${lower.column} leaves out the decimals: multiply by 1.0 first`];
  });
  return [...new Set(remarks)];
}
