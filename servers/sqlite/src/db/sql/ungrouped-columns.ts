// Columns beside an aggregate function without GROUP BY: SQLite takes them from any row, where other databases refuse the statement.
import type { Statement } from "./statement.ts";
import { isSymbol, isWord, type Token } from "./tokens.ts";

/** With min() or max(), SQLite takes the other columns from the row that has it. */
const AGGREGATES = /^(?:count|sum|total|avg|group_concat|string_agg|json_group_array|json_group_object|median)$/i;
const VALUES = /^(?:null|true|false|current_date|current_time|current_timestamp)$/i;

/** A sentence that names the first such column of the outermost SELECT. */
export function ungroupedColumns({ tokens, verb, verbIndex, isExplain }: Statement): string[] {
  if (verb !== "SELECT" || isExplain) return [];
  const items: Token[][] = [[]];
  let [depth, isList, hasFrom] = [0, true, false];
  for (const token of tokens.slice(verbIndex + 1)) {
    if (isSymbol(token, "(")) depth += 1;
    else if (isSymbol(token, ")")) depth -= 1;
    if (depth === 0 && ["GROUP", "UNION", "INTERSECT", "EXCEPT"].some((word) => isWord(token, word))) return [];
    if (depth === 0 && isWord(token, "FROM")) [isList, hasFrom] = [false, true];
    if (!isList) continue;
    if (depth === 0 && isSymbol(token, ",")) items.push([]);
    else items.at(-1)?.push(token);
  }
  if (!hasFrom) return [];
  const calls = items.flatMap((item) => item.filter((token, index) => token.kind === "word" && isSymbol(item[index + 1], "(")));
  const isWindow = items.some((item) => item.some((token) => isWord(token, "OVER") || isWord(token, "SELECT")));
  if (isWindow || !calls.some(({ value }) => AGGREGATES.test(value)) || calls.some(({ value }) => /^(?:min|max)$/i.test(value))) return [];
  const [column] = items.flatMap((item) => bareColumn(item) ?? []);
  return column === undefined ? [] : [`${column} comes from an arbitrary row, because there is no GROUP BY`];
}

/** `name`, `t.name`, `name AS n` or `name n`. */
function bareColumn([first, second, third]: readonly Token[]): string | undefined {
  const isName = (token: Token | undefined): token is Token => token?.kind === "word" || token?.kind === "name";
  if (!isName(first) || VALUES.test(first.value) || isWord(first, "DISTINCT")) return undefined;
  if (second === undefined || isName(second))
    return isWord(first, "CASE") || isWord(first, "NOT") || isWord(first, "CAST") ? undefined : first.value;
  return isSymbol(second, ".") && isName(third) ? third.value : undefined;
}
