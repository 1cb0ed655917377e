// Tokens of SQL, split as SQLite splits them: https://sqlite.org/tokenreq.html
// Only their boundaries matter: where texts, quoted names and comments end, so that no keyword hides in one of them.

export type TokenKind = "word" | "name" | "text" | "number" | "variable" | "symbol";

export interface Token {
  readonly kind: TokenKind;
  /** A word as written; a quoted name or a text without its quotes. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

const BLANKS_AND_COMMENTS = /(?:[ \t\n\f\r\uFEFF]+|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$))*/y;
const PLAIN = /[A-Za-z_\u0080-\u{10FFFF}][\w$\u0080-\u{10FFFF}]*|\d[\w.]*|\.\d[\w.]*|\?\d*|[:@$#][\w$:\u0080-\u{10FFFF}]+|[\s\S]/uy;
// An unclosed quote runs to the end, where SQLite reports it.
const QUOTED = /'(?<text>(?:[^']|'')*)(?:'|$)|"(?<double>(?:[^"]|"")*)(?:"|$)|`(?<back>(?:[^`]|``)*)(?:`|$)|\[(?<square>[^\]]*)(?:\]|$)/uy;

/** The tokens of a text without blanks and comments. Takes linear time. */
export function tokensOf(sql: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    BLANKS_AND_COMMENTS.lastIndex = at;
    BLANKS_AND_COMMENTS.test(sql);
    const start = BLANKS_AND_COMMENTS.lastIndex;
    if (start >= sql.length) return tokens;
    if ("'\"`[".includes(sql.charAt(start))) {
      // Only these need groups, which cost more than all the rest.
      QUOTED.lastIndex = start;
      const { text, double, back, square = "" } = QUOTED.exec(sql)?.groups ?? {};
      at = QUOTED.lastIndex;
      const name = double?.replaceAll('""', '"') ?? back?.replaceAll("``", "`") ?? square;
      tokens.push({ kind: text === undefined ? "name" : "text", value: text?.replaceAll("''", "'") ?? name, start, end: at });
    } else {
      PLAIN.lastIndex = start;
      PLAIN.test(sql);
      at = PLAIN.lastIndex;
      const value = sql.slice(start, at);
      tokens.push({ kind: plainKind(value), value, start, end: at });
    }
  }
}

function plainKind(value: string): TokenKind {
  if (/^[A-Za-z_\u0080-\uFFFF]/.test(value)) return "word";
  if (/^\.?\d/.test(value)) return "number";
  return value.length > 1 || value === "?" ? "variable" : "symbol";
}

export const isWord = (token: Token | undefined, word: string): boolean => token?.kind === "word" && token.value.toUpperCase() === word;
export const isSymbol = (token: Token | undefined, symbol: string): boolean => token?.kind === "symbol" && token.value === symbol;
/** A token that can be a name: SQLite accepts words, quoted names and even texts. */
export const isName = (token: Token | undefined): token is Token =>
  token !== undefined && (token.kind === "word" || token.kind === "name" || token.kind === "text");

/** A name as an identifier in a statement. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The index after brackets that open here. */
export function endOfBrackets(tokens: readonly Token[], open: number): number | undefined {
  if (!isSymbol(tokens[open], "(")) return undefined;
  let depth = 0;
  const close = tokens.findIndex((token, index) => {
    if (index < open) return false;
    if (isSymbol(token, "(")) depth += 1;
    return isSymbol(token, ")") && --depth === 0;
  });
  return close === -1 ? undefined : close + 1;
}
