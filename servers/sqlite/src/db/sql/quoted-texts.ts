// Texts in double quotes: `WHERE continent = "Asia"`. Double quotes are for names, but many databases and much SQL take a name that
// does not exist for a text, as SQLite's shell does. The driver's SQLite does not, so such names are written as texts here.
import { isSymbol, isWord, type Token } from "./tokens.ts";

/** The name in SQLite's message about a name in double quotes that does not exist. */
export const missingQuotedName = (message: string): string | undefined =>
  /^no such column: "(.*)" - should this be a string literal in single-quotes\?$/s.exec(message)?.[1];

/** Before a value, in any statement. */
const BEFORE_VALUE = ["LIKE", "GLOB", "REGEXP", "MATCH", "IS", "NOT", "BETWEEN", "AND", "THEN", "ELSE", "WHEN", "ESCAPE"];
/** Before brackets that hold a query or an expression; another word before brackets is the name of a function. */
const BEFORE_EXPRESSION = new Set([
  "AND",
  "OR",
  "NOT",
  "WHERE",
  "ON",
  "FROM",
  "SELECT",
  "DISTINCT",
  "JOIN",
  "WHEN",
  "THEN",
  "ELSE",
  "CASE",
  "BY",
  "HAVING",
  "EXISTS",
  "AS",
  "OVER",
  "USING",
  "LIMIT",
]);

/**
 * The statement with a name in single quotes wherever it stands as a value; undefined where it does so nowhere. A name that is selected or
 * sorted by stays a name if it has the form of one: there a misspelt column is likelier than a text.
 */
export function withTextFor(name: string, sql: string, tokens: readonly Token[]): string | undefined {
  const isLikeName = /^\w+$/.test(name);
  const texts = quotedTokens(name, sql, tokens).filter((token) => isValue(tokens, tokens.indexOf(token), isLikeName));
  return texts.length === 0 ? undefined : withTexts(name, sql, tokens, texts);
}

/** Where a name stands in double quotes, without a table before it. */
export const quotedTokens = (name: string, sql: string, tokens: readonly Token[]): Token[] =>
  tokens.filter(
    ({ value, start }, index) =>
      value === name &&
      sql[start - (tokens[0]?.start ?? 0)] === '"' &&
      !isSymbol(tokens[index - 1], ".") &&
      !isSymbol(tokens[index + 1], "."),
  );

/** The statement with a name in single quotes at these tokens. */
export function withTexts(name: string, sql: string, tokens: readonly Token[], texts: readonly Token[]): string {
  const offset = tokens[0]?.start ?? 0;
  let [written, from] = ["", 0];
  for (const { start, end } of texts) {
    written += `${sql.slice(from, start - offset)}'${name.replaceAll("'", "''")}'`;
    from = end - offset;
  }
  return written + sql.slice(from);
}

function isValue(tokens: readonly Token[], index: number, isLikeName: boolean): boolean {
  const [before, after] = [tokens[index - 1], tokens[index + 1]];
  if (isWord(before, "AS")) return false;
  if (before?.kind === "symbol" && /[=<>!|+*/%-]/.test(before.value)) return true;
  const isCompared =
    (after?.kind === "symbol" && /[=<>!]/.test(after.value)) || ["LIKE", "GLOB", "IS", "IN", "BETWEEN"].some((word) => isWord(after, word));
  if (isCompared) return !isLikeName;
  if (BEFORE_VALUE.some((word) => isWord(before, word))) return true;
  const isInList = (isSymbol(before, "(") || isSymbol(before, ",")) && isListOfValues(tokens, index);
  return isInList || !isLikeName;
}

/** Whether the brackets around a token are those of IN, VALUES or a function. */
function isListOfValues(tokens: readonly Token[], index: number): boolean {
  let depth = 0;
  for (let at = index - 1; at >= 0; at -= 1) {
    const token = tokens[at];
    if (isSymbol(token, ")")) depth += 1;
    else if (isSymbol(token, "(") && depth-- === 0) {
      const opener = tokens[at - 1];
      return opener?.kind === "word" && !BEFORE_EXPRESSION.has(opener.value.toUpperCase());
    }
  }
  return false;
}
