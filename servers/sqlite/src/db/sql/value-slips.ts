// Slips in the values of a statement: bounds in the wrong order, days without zeros, and a subquery that gives all rows one value.
import { endOfBrackets, isSymbol, isWord, type Token } from "./tokens.ts";

const written = ({ kind, value }: Token): string => (kind === "text" ? `'${value}'` : value);
const CALCULATES = /^[-+*/%|&<>.(]$/;
const DAY = /^\d{4}-\d\d?-\d\d?(?:[ T][\d:.]*)?$/;

/** `BETWEEN '2024-12-31' AND '2024-01-01'` */
export function reversedBounds(tokens: readonly Token[], index: number): string | undefined {
  const [before, token, low, and, high, next] = tokens.slice(Math.max(0, index - 1), index + 5);
  if (!isWord(token, "BETWEEN") || isWord(before, "NOT") || !isWord(and, "AND") || low === undefined || low.kind !== high?.kind)
    return undefined;
  if (next?.kind === "symbol" && CALCULATES.test(next.value)) return undefined;
  const isReversed =
    low.kind === "number"
      ? Number(low.value) > Number(high.value)
      : low.kind === "text" && [low, high].every(({ value }) => DAY.test(value)) && low.value > high.value;
  return isReversed ? `BETWEEN ${written(low)} AND ${written(high)} is never true: the lower bound comes first` : undefined;
}

/** `day >= '2024-2-1'`, `date('2024-2-1')` */
export function unpaddedDay(tokens: readonly Token[], index: number): string | undefined {
  const { value = "" } = tokens[index] ?? {};
  const [before, sign] = tokens.slice(Math.max(0, index - 2), index);
  if (!DAY.test(value) || /^\d{4}-\d\d-\d\d(?!\d)/.test(value)) return undefined;
  const padded = value.replaceAll(/-(\d)(?!\d)/g, "-0$1");
  const name = /^(?:date|datetime|julianday|unixepoch)$/i.test(before?.value ?? "") && isSymbol(sign, "(") ? before?.value : undefined;
  if (name !== undefined) return `${name}('${value}') is NULL: write '${padded}'`;
  const isCompared = [">", "<"].some((one) => isSymbol(sign, one) || (isSymbol(sign, "=") && isSymbol(before, one)));
  const isBound = isWord(sign, "BETWEEN") || (isWord(sign, "AND") && isWord(tokens[index - 3], "BETWEEN"));
  return isCompared || isBound ? `'${value}' is compared as text: write '${padded}'` : undefined;
}

/** `data ->> 'paid' = 'true'` */
export function jsonTrue(tokens: readonly Token[], index: number): string | undefined {
  const [dash, arrow, arrowEnd, , equals] = tokens.slice(Math.max(0, index - 5), index);
  const isText = isSymbol(dash, "-") && isSymbol(arrow, ">") && isSymbol(arrowEnd, ">") && isSymbol(equals, "=");
  return isText && /^(?:true|false)$/.test(tokens[index]?.value ?? "") ? "->> gives 1 and 0 for true and false of JSON" : undefined;
}

/** `LIKE '%\\_%'` without ESCAPE, `LIKE 'A[0-9]%'` */
export function unknownPattern(tokens: readonly Token[], index: number): string | undefined {
  const [like, pattern, next] = tokens.slice(index, index + 3);
  if (!isWord(like, "LIKE") || pattern?.kind !== "text") return undefined;
  if (/\\[%_]/.test(pattern.value) && !isWord(next, "ESCAPE")) return "LIKE has no escape character unless one is named: add ESCAPE '\\'";
  const range = /\[\^?\w-\w\]/.exec(pattern.value)?.[0];
  return range === undefined ? undefined : `LIKE takes ${range} as it is written: use GLOB with * and ?`;
}

/** `ORDER BY 'Full name'` */
export function orderByText(tokens: readonly Token[], index: number): string | undefined {
  const [order, by, term, next] = tokens.slice(index, index + 4);
  if (!isWord(order, "ORDER") || !isWord(by, "BY") || term?.kind !== "text") return undefined;
  const isAlone =
    next === undefined || [",", ")"].some((one) => isSymbol(next, one)) || ["ASC", "DESC", "LIMIT"].some((one) => isWord(next, one));
  return isAlone ? `ORDER BY '${term.value}' sorts by a constant: write the name as "${term.value}"` : undefined;
}

const AGGREGATES = /^(?:count|sum|total|avg|min|max|group_concat|string_agg|median|json_group_\w+|exists)$/i;

/** `SET price = (SELECT price FROM offers)` */
export function oneForAll(tokens: readonly Token[], index: number): string | undefined {
  if (!isWord(tokens[index], "SELECT") || !isSymbol(tokens[index - 1], "(") || !isSymbol(tokens[index - 2], "=")) return undefined;
  const clause = tokens.findLast((token, at) => at < index && ["SET", "WHERE", "WHEN", "ON", "SELECT"].some((word) => isWord(token, word)));
  const end = endOfBrackets(tokens, index - 1);
  if (!isWord(clause, "SET") || end === undefined) return undefined;
  const query = tokens.slice(index + 1, end);
  const isLimited = ["WHERE", "LIMIT", "JOIN", "SELECT", "VALUES", "ON"].some((word) => query.some((token) => isWord(token, word)));
  const isTotal = query.some((token, at) => AGGREGATES.test(token.value) && isSymbol(query[at + 1], "("));
  if (isLimited || isTotal || !query.some((token) => isWord(token, "FROM"))) return undefined;
  return "(SELECT …) without WHERE gives all rows the value of its first row";
}
