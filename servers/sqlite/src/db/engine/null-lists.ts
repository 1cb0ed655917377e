// `x NOT IN (SELECT y …)` where a `y` is NULL: SQL compares with it as unknown, so the condition is true for no row.
import type { AllowedStatement } from "../policy/statement-policy.ts";
import type { RowsReply } from "../protocol/rows.ts";
import { isSymbol, isWord, type Token } from "../sql/tokens.ts";
import type { Engine } from "./engine.ts";
import { isObjectError } from "./sqlite-errors.ts";

/** Lists that are looked at in one statement. */
const MAX_LISTS = 3;

/** Only where the reply has no row, or one of totals: there a NULL in a list is most likely the reason. */
export function hasNullInList(
  engine: Engine,
  allowed: AllowedStatement,
  { rowCount, hasMore }: Pick<RowsReply, "rowCount" | "hasMore">,
): boolean {
  const { statement, combinesRows } = allowed;
  if (hasMore || rowCount > (combinesRows ? 1 : 0) || statement.variables.length > 0) return false;
  return listsIn(statement.sql, statement.tokens)
    .slice(0, MAX_LISTS)
    .some((list) => holdsNull(engine, list));
}

/** What stands in the brackets after NOT IN. */
function listsIn(sql: string, tokens: readonly Token[]): string[] {
  const offset = tokens[0]?.start ?? 0;
  return tokens.flatMap((token, index) => {
    const [isIn, open, first] = tokens.slice(index + 1, index + 4);
    if (!isWord(token, "NOT") || !isWord(isIn, "IN") || !isSymbol(open, "(") || first === undefined) return [];
    const close = closingBracket(tokens, index + 2);
    return close === undefined ? [] : [sql.slice(first.start - offset, close.start - offset)];
  });
}

function closingBracket(tokens: readonly Token[], open: number): Token | undefined {
  let depth = 0;
  return tokens.slice(open).find((token) => {
    if (isSymbol(token, "(")) depth += 1;
    return isSymbol(token, ")") && --depth === 0;
  });
}

/** A text that is in no list is unknown to be in one with a NULL. A list that needs the rows around it is not compiled. */
function holdsNull(engine: Engine, list: string): boolean {
  try {
    const { prepared } = engine.allowed(`SELECT (hex(randomblob(16)) IN (${list})) IS NULL`, "read");
    return Number((prepared.get() as unknown[] | undefined)?.[0]) === 1; // raw
  } catch (error) {
    if (isObjectError(error)) return false;
    throw error;
  }
}
