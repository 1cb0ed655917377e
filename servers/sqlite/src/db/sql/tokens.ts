// SQL cut into tokens as SQLite cuts it: https://sqlite.org/tokenreq.html
// Only the borders matter here: where texts, quoted names and comments end, so that no keyword hides in one of them.

export type TokenKind = "word" | "name" | "text" | "number" | "variable" | "mark";

export interface Token {
  readonly kind: TokenKind;
  /** A word as it stands; a quoted name or a text without its quotes. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

const GAP = /(?:[ \t\n\f\r\uFEFF]+|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$))*/y;
const PART = new RegExp(
  [
    /(?<word>[A-Za-z_\u0080-\u{10FFFF}][\w$\u0080-\u{10FFFF}]*)/u,
    /(?<number>(?:\d[\w.]*|\.\d[\w.]*))/,
    /(?<variable>\?\d*|[:@$#][\w$:\u0080-\u{10FFFF}]+)/u,
    // What is not closed goes to the end, where SQLite complains.
    /'(?<text>(?:[^']|'')*)(?:'|$)/,
    /"(?<double>(?:[^"]|"")*)(?:"|$)/,
    /`(?<back>(?:[^`]|``)*)(?:`|$)/,
    /\[(?<square>[^\]]*)(?:\]|$)/,
    /(?<mark>[\s\S])/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "uy",
);

/** The tokens of a text; blanks and comments are left out. Linear in its length. */
export function tokensOf(sql: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    GAP.lastIndex = at;
    GAP.test(sql);
    const start = GAP.lastIndex;
    if (start >= sql.length) return tokens;
    PART.lastIndex = start;
    const groups = PART.exec(sql)?.groups;
    if (groups === undefined) return tokens;
    at = PART.lastIndex;
    tokens.push({ ...kindOf(groups), start, end: at });
  }
}

function kindOf(groups: Record<string, string | undefined>): { kind: TokenKind; value: string } {
  const { word, number, variable, text, double, back, square, mark } = groups;
  if (word !== undefined) return { kind: "word", value: word };
  if (number !== undefined) return { kind: "number", value: number };
  if (variable !== undefined) return { kind: "variable", value: variable };
  if (text !== undefined) return { kind: "text", value: text.replaceAll("''", "'") };
  if (double !== undefined) return { kind: "name", value: double.replaceAll('""', '"') };
  if (back !== undefined) return { kind: "name", value: back.replaceAll("``", "`") };
  if (square !== undefined) return { kind: "name", value: square };
  return { kind: "mark", value: mark ?? "" };
}
