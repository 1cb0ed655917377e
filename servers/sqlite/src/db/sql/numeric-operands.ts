// Parameters that a statement compares with a number: one that SQLite computes, such as price * 2, count(*) or an alias of it. SQLite converts
// a text there to no number, and each text is greater than each number.
import { endOfBrackets, isName, isSymbol, isWord, type Token } from "./tokens.ts";

/** Whether all columns of this name hold numbers by their type. */
export type IsNumericColumn = (name: string) => boolean;

const STOPS: ReadonlySet<string> = new Set(
  "AND OR NOT WHERE HAVING ON WHEN THEN ELSE SELECT DISTINCT ALL BETWEEN BY SET RETURNING LIMIT OFFSET IN IS LIKE GLOB FROM GROUP ORDER UNION EXCEPT INTERSECT ASC DESC AS JOIN LEFT INNER CROSS WINDOW".split(
    " ",
  ),
);
/** Their result is a number or NULL whatever they are given. */
const NUMERIC_FUNCTIONS: ReadonlySet<string> = new Set(
  "count sum avg total abs round length octet_length instr unicode sign ceil ceiling floor trunc sqrt power pow mod exp ln log log10 log2 random julianday unixepoch row_number rank dense_rank ntile percent_rank cume_dist json_array_length changes last_insert_rowid".split(
    " ",
  ),
);
/** Their result is one of these arguments. */
const CHOOSING_FUNCTIONS: Readonly<Record<string, (values: Token[][]) => Token[][]>> = {
  coalesce: (values) => values,
  ifnull: (values) => values,
  nullif: (values) => values.slice(0, 1),
  iif: (values) => values.slice(1),
  if: (values) => values.slice(1),
  min: (values) => values,
  max: (values) => values,
  lag: (values) => values.slice(0, 1),
  lead: (values) => values.slice(0, 1),
  first_value: (values) => values.slice(0, 1),
  last_value: (values) => values.slice(0, 1),
};
/** Longer statements are bound as they are. */
const MAX_TOKENS = 2000;
/** Expressions that are looked at for one statement: aliases may refer to each other in many ways. */
const MAX_STEPS = 1000;

const isComparison = (token: Token | undefined): boolean => token?.kind === "symbol" && "=<>!".includes(token.value);
const isStop = (token: Token | undefined): boolean =>
  token === undefined ||
  isSymbol(token, ",") ||
  isSymbol(token, ";") ||
  isComparison(token) ||
  (token.kind === "word" && STOPS.has(token.value.toUpperCase()));
const opens = (token: Token): boolean => isSymbol(token, "(") || isWord(token, "CASE");
const closes = (token: Token): boolean => isSymbol(token, ")") || isWord(token, "END");

/** The names of the parameters that are compared with numbers, each time that the statement has them; `?` by their index among all. */
export function numericParameters(tokens: readonly Token[], isNumericColumn: IsNumericColumn): ReadonlySet<string | number> {
  if (tokens.length > MAX_TOKENS) return new Set();
  const around: Surroundings = { tokens, isNumericColumn, stepsLeft: MAX_STEPS };
  const found = new Set<string | number>();
  const others = new Set<string | number>();
  let count = 0;
  for (const [index, { kind, value }] of tokens.entries()) {
    if (kind !== "variable") continue;
    const operand = comparedWith(tokens, index);
    const key = value === "?" ? count : value;
    (operand !== undefined && operand.length > 0 && isNumber(operand, around) ? found : others).add(key);
    count += 1;
  }
  return new Set([...found].filter((key) => !others.has(key)));
}

/** The other side of a comparison of which the token is one side. */
function comparedWith(tokens: readonly Token[], index: number): readonly Token[] | undefined {
  const [before, after] = [tokens[index - 1], tokens[index + 1]];
  if (isComparison(after) && (isStop(before) || isSymbol(before, "("))) {
    let start = index + 1;
    while (isComparison(tokens[start])) start += 1;
    return operandAfter(tokens, start);
  }
  if (!isStop(after) && !isSymbol(after, ")")) return undefined;
  if (isComparison(before)) {
    let end = index;
    while (isComparison(tokens[end - 1])) end -= 1;
    // The arrow of JSON.
    return isSymbol(tokens[end - 1], "-") ? undefined : operandBefore(tokens, end);
  }
  const word = isWord(before, "BETWEEN") ? index - 1 : (startOfRange(tokens, index) ?? startOfList(tokens, index));
  return word === undefined ? undefined : operandBefore(tokens, isWord(tokens[word - 1], "NOT") ? word - 1 : word);
}

/** The index of BETWEEN, where the token is the upper end. */
function startOfRange(tokens: readonly Token[], index: number): number | undefined {
  if (!isWord(tokens[index - 1], "AND")) return undefined;
  const low = operandBefore(tokens, index - 1);
  const between = index - 2 - low.length;
  return low.length > 0 && isWord(tokens[between], "BETWEEN") ? between : undefined;
}

/** The index of IN, where the token is one of the values in its brackets. */
function startOfList(tokens: readonly Token[], index: number): number | undefined {
  const isValue = ({ kind, value }: Token): boolean => ["variable", "number", "text"].includes(kind) || value === ",";
  const open = tokens.findLastIndex((token, at) => at < index && !isValue(token));
  return isSymbol(tokens[open], "(") && isWord(tokens[open - 1], "IN") ? open - 1 : undefined;
}

/** The expression that ends before this index. */
function operandBefore(tokens: readonly Token[], end: number): readonly Token[] {
  let depth = 0;
  let start = end;
  for (; start > 0; start -= 1) {
    const token = tokens[start - 1];
    if (token === undefined || (depth === 0 && (opens(token) || isStop(token)))) break;
    if (closes(token)) depth += 1;
    else if (opens(token)) depth -= 1;
  }
  return tokens.slice(start, end);
}

/** The expression that begins at this index. */
function operandAfter(tokens: readonly Token[], start: number): readonly Token[] {
  let depth = 0;
  let end = start;
  for (; end < tokens.length; end += 1) {
    const token = tokens[end];
    if (token === undefined || (depth === 0 && (closes(token) || isStop(token)))) break;
    if (opens(token)) depth += 1;
    else if (closes(token)) depth -= 1;
  }
  return tokens.slice(start, end);
}

interface Surroundings {
  readonly tokens: readonly Token[];
  readonly isNumericColumn: IsNumericColumn;
  stepsLeft: number;
}

/** Whether an expression is a number or NULL in each row. */
function isNumber(expression: readonly Token[], around: Surroundings): boolean {
  const [first, second] = expression;
  if (first === undefined || around.stepsLeft === 0) return false;
  around.stepsLeft -= 1;
  if (isSymbol(first, "+")) return isNumber(expression.slice(1), around);
  const top = topLevel(expression);
  const arrow = top.some((token, at) => isSymbol(token, "-") && isSymbol(top[at + 1], ">"));
  if (!arrow && top.some((token) => token.kind === "symbol" && "+-*/%&~".includes(token.value))) return true;
  if (expression.length === 1) return first.kind === "number" || isWord(first, "NULL") || isNumericName(first, around);
  if (isWord(first, "CASE")) return resultsOf(expression).every((result) => isNumber(result, around));
  if (expression.length === 3 && isSymbol(second, ".")) return isNumericName(expression[2], around);
  const isCall = !isSymbol(first, "(");
  const end = endOfBrackets(expression, isCall ? 1 : 0);
  if (end === undefined) return false;
  const content = expression.slice(isCall ? 2 : 1, end - 1);
  if (!isCall) return end === expression.length && isNumber(isWord(content[0], "SELECT") ? firstResult(content) : content, around);
  if (end < expression.length && !isWord(expression[end], "OVER") && !isWord(expression[end], "FILTER")) return false;
  const name = first.value.toLowerCase();
  if (NUMERIC_FUNCTIONS.has(name)) return true;
  const chosen = Object.hasOwn(CHOOSING_FUNCTIONS, name) ? CHOOSING_FUNCTIONS[name]?.(listItems(content)) : undefined;
  return chosen !== undefined && chosen.length > 0 && chosen.every((one) => isNumber(one, around));
}

/** A column, or an alias that the statement gives to a number: `sum(total) AS spent`, `sum(total) spent`. */
function isNumericName(token: Token | undefined, around: Surroundings): boolean {
  if (!isName(token) || token.kind === "text") return false;
  const { tokens } = around;
  const definitions = tokens.flatMap((one, at) => {
    if (!isName(one) || one.value.toLowerCase() !== token.value.toLowerCase()) return [];
    const isBare = isSymbol(tokens[at - 1], ")") && (isSymbol(tokens[at + 1], ",") || isWord(tokens[at + 1], "FROM"));
    return isWord(tokens[at - 1], "AS") ? [operandBefore(tokens, at - 1)] : isBare ? [operandBefore(tokens, at)] : [];
  });
  if (definitions.length === 0) return around.isNumericColumn(token.value);
  return definitions.every((one) => isNumber(one, around));
}

/** Without what stands in brackets or in CASE. */
function topLevel(tokens: readonly Token[]): Token[] {
  let depth = 0;
  return tokens.filter((token) => {
    if (closes(token)) depth -= 1;
    const isTop = depth === 0;
    if (opens(token)) depth += 1;
    return isTop;
  });
}

/** Items between commas. */
function listItems(tokens: readonly Token[]): Token[][] {
  const items: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (opens(token)) depth += 1;
    else if (closes(token)) depth -= 1;
    if (depth === 0 && isSymbol(token, ",")) items.push([]);
    else items.at(-1)?.push(token);
  }
  return items;
}

/** The first column of a query in brackets, without its alias. */
function firstResult(query: readonly Token[]): readonly Token[] {
  const start = isWord(query[1], "DISTINCT") || isWord(query[1], "ALL") ? 2 : 1;
  return operandAfter(query, start);
}

/** What stands after THEN and ELSE in a CASE. */
function resultsOf(tokens: readonly Token[]): (readonly Token[])[] {
  let depth = 0;
  return tokens.flatMap((token, at) => {
    if (opens(token)) depth += 1;
    else if (closes(token)) depth -= 1;
    return depth === 1 && (isWord(token, "THEN") || isWord(token, "ELSE")) ? [operandAfter(tokens, at + 1)] : [];
  });
}
