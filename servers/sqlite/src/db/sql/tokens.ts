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
const TOKEN = new RegExp(
  [
    /(?<word>[A-Za-z_\u0080-\u{10FFFF}][\w$\u0080-\u{10FFFF}]*)/u,
    /(?<number>(?:\d[\w.]*|\.\d[\w.]*))/,
    /(?<variable>\?\d*|[:@$#][\w$:\u0080-\u{10FFFF}]+)/u,
    // An unclosed quote runs to the end, where SQLite reports it.
    /'(?<text>(?:[^']|'')*)(?:'|$)/,
    /"(?<double>(?:[^"]|"")*)(?:"|$)/,
    /`(?<back>(?:[^`]|``)*)(?:`|$)/,
    /\[(?<square>[^\]]*)(?:\]|$)/,
    /(?<symbol>[\s\S])/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "uy",
);

/** The tokens of a text without blanks and comments. Takes linear time. */
export function tokensOf(sql: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    BLANKS_AND_COMMENTS.lastIndex = at;
    BLANKS_AND_COMMENTS.test(sql);
    const start = BLANKS_AND_COMMENTS.lastIndex;
    if (start >= sql.length) return tokens;
    TOKEN.lastIndex = start;
    const groups = TOKEN.exec(sql)?.groups;
    if (groups === undefined) return tokens;
    at = TOKEN.lastIndex;
    tokens.push({ ...kindAndValue(groups), start, end: at });
  }
}

function kindAndValue(groups: Record<string, string | undefined>): { kind: TokenKind; value: string } {
  const { word, number, variable, text, double, back, square, symbol } = groups;
  if (word !== undefined) return { kind: "word", value: word };
  if (number !== undefined) return { kind: "number", value: number };
  if (variable !== undefined) return { kind: "variable", value: variable };
  if (text !== undefined) return { kind: "text", value: text.replaceAll("''", "'") };
  if (double !== undefined) return { kind: "name", value: double.replaceAll('""', '"') };
  if (back !== undefined) return { kind: "name", value: back.replaceAll("``", "`") };
  if (square !== undefined) return { kind: "name", value: square };
  return { kind: "symbol", value: symbol ?? "" };
}

export const isWord = (token: Token | undefined, word: string): boolean => token?.kind === "word" && token.value.toUpperCase() === word;
export const isSymbol = (token: Token | undefined, symbol: string): boolean => token?.kind === "symbol" && token.value === symbol;
/** A token that can be a name: SQLite accepts words, quoted names and even texts. */
export const isName = (token: Token | undefined): token is Token =>
  token !== undefined && (token.kind === "word" || token.kind === "name" || token.kind === "text");

/** A name as an identifier in a statement. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
