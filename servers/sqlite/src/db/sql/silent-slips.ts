// Expressions that SQLite runs without an error, but that mean something else in other databases: one sentence each for the reply.
import { castToDate, formatAfterDate, formatOfDate, unknownStep } from "./date-slips.ts";
import { ungroupedColumns } from "./ungrouped-columns.ts";
import type { Statement } from "./statement.ts";
import { endOfBrackets, isSymbol, isWord, type Token, type TokenKind } from "./tokens.ts";
import { jsonTrue, oneForAll, orderByText, reversedBounds, unknownPattern, unpaddedDay } from "./value-slips.ts";

/** Of a statement that is searched for them. */
const MAX_TOKENS = 2000;

export function silentSlips(statement: Statement): string[] {
  const tokens = statement.tokens.length > MAX_TOKENS ? statement.tokens.slice(0, MAX_TOKENS) : statement.tokens;
  const found = tokens.flatMap(({ kind }, index) => SLIPS[kind].flatMap((slip) => slip(tokens, index) ?? []));
  return [...new Set([...found, ...ungroupedColumns(statement), ...assignsCondition(statement)])];
}

/** `SET a = 1 AND b = 2` */
function assignsCondition({ tokens, verb, verbIndex }: Statement): string[] {
  if (verb !== "UPDATE") return [];
  const set = tokens.findIndex((token, index) => index > verbIndex && isWord(token, "SET"));
  let [depth, mayBeBetween] = [0, false];
  for (const token of set === -1 ? [] : tokens.slice(set)) {
    if (isSymbol(token, "(") || isWord(token, "CASE")) depth += 1;
    else if (isSymbol(token, ")") || isWord(token, "END")) depth -= 1;
    if (depth > 0) continue;
    if (isWord(token, "WHERE") || isWord(token, "FROM")) return [];
    if (isWord(token, "AND") && !mayBeBetween)
      return ["AND in SET makes one condition, 0 or 1, of what follows =: separate assignments by commas"];
    mayBeBetween = isWord(token, "BETWEEN") || (mayBeBetween && !isWord(token, "AND"));
  }
  return [];
}

/** Looks at one token and those around it. */
type Slip = (tokens: readonly Token[], index: number) => string | undefined;

/** By the kind of the token that a slip is found by. */
const SLIPS: Readonly<Record<TokenKind, readonly Slip[]>> = {
  word: [
    ...[equalsNull, addsToDate, orAlone, unknownFormat, fromZero, reversedBounds, oneForAll],
    ...[castToDate, formatOfDate, formatAfterDate, unknownPattern, orderByText],
  ],
  name: [keyInSquareBrackets],
  text: [pointInKey, otherLetters, unpaddedDay, jsonTrue, unknownStep],
  number: [bareDate],
  symbol: [addsText, wholeQuotient],
  variable: [],
};

const CLAUSES: ReadonlySet<string> = new Set(["SET", "WHERE", "WHEN", "ON", "HAVING", "SELECT"]);

/** `SET name = NULL` assigns. */
function equalsNull(tokens: readonly Token[], index: number): string | undefined {
  if (!isWord(tokens[index], "NULL")) return undefined;
  const [sign, before] = [tokens[index - 1], tokens[index - 2]];
  const isCompared = isSymbol(sign, "=") || (isSymbol(sign, ">") && isSymbol(before, "<"));
  if (isWord(sign, "WHEN") && isWord(tokens[index + 1], "THEN")) return "WHEN NULL is never true: write CASE WHEN value IS NULL THEN";
  if (!isCompared) return undefined;
  const clause = tokens.findLast((token, at) => at < index && token.kind === "word" && CLAUSES.has(token.value.toUpperCase()));
  if (clause === undefined || isWord(clause, "SET")) return undefined;
  return isSymbol(sign, ">") || isSymbol(before, "!") ? "<> NULL is never true: use IS NOT NULL" : "= NULL is never true: use IS NULL";
}

/** `day >= 2024-02-01` */
function bareDate(tokens: readonly Token[], index: number): string | undefined {
  const [year, dash, month, otherDash, day] = tokens.slice(index, index + 5);
  const isNumber = (token: Token | undefined, pattern: RegExp): token is Token => token?.kind === "number" && pattern.test(token.value);
  if (!isNumber(year, /^(?:19|20)\d\d$/) || !isSymbol(dash, "-") || !isSymbol(otherDash, "-")) return undefined;
  if (!isNumber(month, /^(?:0?[1-9]|1[0-2])$/) || !isNumber(day, /^(?:0?[1-9]|[12]\d|3[01])$/)) return undefined;
  const date = `${year.value}-${month.value}-${day.value}`;
  return `${date} without quotes is the number ${Number(year.value) - Number(month.value) - Number(day.value)}: write '${date}'`;
}

/** `status = 'paid' OR 'open'` */
function orAlone(tokens: readonly Token[], index: number): string | undefined {
  const [token, value, next] = tokens.slice(index, index + 3);
  if (!isWord(token, "OR") || (value?.kind !== "text" && value?.kind !== "number")) return undefined;
  const isEnd =
    next === undefined || isSymbol(next, ")") || ["AND", "OR", "GROUP", "ORDER", "LIMIT", "THEN"].some((word) => isWord(next, word));
  const literal = value.kind === "text" ? `'${value.value}'` : value.value;
  return isEnd ? `OR ${literal} is a condition of its own: write column IN (…) to compare with several values` : undefined;
}

/** `data['a']`: square brackets are around names. */
function keyInSquareBrackets(tokens: readonly Token[], index: number): string | undefined {
  const [before, token] = [tokens[index - 1], tokens[index]];
  if (before?.kind !== "word" || token?.kind !== "name" || token.start !== before.end || !/^(?:'.*'|\d+)$/.test(token.value))
    return undefined;
  return `${before.value}[${token.value}] gives ${before.value} the name ${token.value}: write ${before.value} ->> '$.key', or '$[0]'`;
}

const isNumeric = (text: string): boolean => /^\s*[-+]?[\d.]/.test(text);

function addsText(tokens: readonly Token[], index: number): string | undefined {
  if (!isSymbol(tokens[index], "+")) return undefined;
  const isText = (token: Token | undefined): boolean => token?.kind === "text" && !isNumeric(token.value);
  return isText(tokens[index - 1]) || isText(tokens[index + 1]) ? "+ adds numbers, and a text counts as 0: join texts by ||" : undefined;
}

function addsToDate(tokens: readonly Token[], index: number): string | undefined {
  const token = tokens[index];
  if (token?.kind !== "word") return undefined;
  const isCurrent = /^current_(?:date|timestamp)$/i.test(token.value);
  if (!isCurrent && !/^(?:date|datetime)$/i.test(token.value)) return undefined;
  const end = isCurrent ? index + 1 : endOfBrackets(tokens, index + 1);
  const [sign, next] = end === undefined ? [] : tokens.slice(end, end + 2);
  if (!isSymbol(sign, "+") && !(isSymbol(sign, "-") && !isSymbol(next, ">"))) return undefined;
  return `${isCurrent ? token.value.toUpperCase() : `${token.value}(…)`} is a text, of which + and - take the year: use date(day, '-7 days'), or julianday(later) - julianday(earlier)`;
}

/** https://sqlite.org/lang_datefunc.html */
const UNKNOWN_SPECIFIER = /%[^dfHJjmMsSwWYeFGgIklpPRTuUV%]/;

function unknownFormat(tokens: readonly Token[], index: number): string | undefined {
  const format = tokens[index + 2];
  if (!isWord(tokens[index], "STRFTIME") || !isSymbol(tokens[index + 1], "(") || format?.kind !== "text") return undefined;
  const specifier = UNKNOWN_SPECIFIER.exec(format.value.replaceAll("%%", ""))?.[0];
  return specifier === undefined ? undefined : `strftime has no ${specifier} and gives NULL for it: use CASE on %m, or substr`;
}

/** `data ->> 'a.b'` */
function pointInKey(tokens: readonly Token[], index: number): string | undefined {
  const token = tokens[index];
  const isAfterArrow = isSymbol(tokens[index - 1], ">") && (isSymbol(tokens[index - 2], "-") || isSymbol(tokens[index - 2], ">"));
  if (token?.kind !== "text" || !isAfterArrow || !/^\w+(?:[.[]\w)/.test(token.value)) return undefined;
  return isSymbol(tokens[index - 2], "-") || isSymbol(tokens[index - 3], "-")
    ? `'${token.value}' is one key of the JSON: a path begins with $, '$.${token.value}'`
    : undefined;
}

const hasOtherLetter = (text: string): boolean =>
  /[^\0-\u007F]/.test(text) && text.replaceAll(/[\0-\u007F]/g, "").toLowerCase() !== text.replaceAll(/[\0-\u007F]/g, "").toUpperCase();

function otherLetters(tokens: readonly Token[], index: number): string | undefined {
  const token = tokens[index];
  if (token?.kind !== "text" || !hasOtherLetter(token.value)) return undefined;
  if (isWord(tokens[index - 1], "LIKE")) return "LIKE ignores the case of A to Z only; search_text ignores that of all letters";
  const folds =
    isSymbol(tokens[index - 1], "=") &&
    isSymbol(tokens[index - 2], ")") &&
    tokens.slice(Math.max(0, index - 8), index).some((one) => isWord(one, "LOWER") || isWord(one, "UPPER"));
  return folds ? "lower() and upper() change A to Z only; search_text ignores the case of all letters" : undefined;
}

/** `substr(name, 0, 3)` */
function fromZero(tokens: readonly Token[], index: number): string | undefined {
  const token = tokens[index];
  if (token?.kind !== "word" || !/^substr(?:ing)?$/i.test(token.value)) return undefined;
  const end = endOfBrackets(tokens, index + 1);
  if (end === undefined) return undefined;
  let depth = 0;
  const commas = tokens.slice(index + 1, end).flatMap((one, at) => {
    if (isSymbol(one, "(")) depth += 1;
    else if (isSymbol(one, ")")) depth -= 1;
    return depth === 1 && isSymbol(one, ",") ? [index + 1 + at] : [];
  });
  const [first, second] = commas;
  if (first === undefined || second !== first + 2 || tokens[first + 1]?.value !== "0") return undefined;
  return "substr counts from 1: from 0 it gives one character less";
}

/** `count(*) * 100 / (SELECT count(*) …)` */
function wholeQuotient(tokens: readonly Token[], index: number): string | undefined {
  if (!isSymbol(tokens[index], "/")) return undefined;
  const before = isInteger(tokens[index - 1]) && isSymbol(tokens[index - 2], "*") ? index - 3 : index - 1;
  const isCountBefore = isSymbol(tokens[before], ")") && isCount(tokens, startOfBrackets(tokens, before));
  const after = isSymbol(tokens[index + 1], "(") && isWord(tokens[index + 2], "SELECT") ? index + 3 : index + 1;
  const isWholeAfter = isInteger(tokens[after]) || (isWord(tokens[after], "COUNT") && isSymbol(tokens[after + 1], "("));
  return isCountBefore && isWholeAfter ? "/ of two integers leaves out the decimals: multiply by 1.0 or 100.0 first" : undefined;
}

const isInteger = (token: Token | undefined): boolean => token?.kind === "number" && /^\d+$/.test(token.value);
const isCount = (tokens: readonly Token[], open: number | undefined): boolean => open !== undefined && isWord(tokens[open - 1], "COUNT");

function startOfBrackets(tokens: readonly Token[], close: number): number | undefined {
  let depth = 0;
  for (let at = close; at >= 0; at -= 1) {
    if (isSymbol(tokens[at], ")")) depth += 1;
    else if (isSymbol(tokens[at], "(") && --depth === 0) return at;
  }
  return undefined;
}
