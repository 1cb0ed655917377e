/** Tokens of TypeScript text, as far as counting needs them: comments, texts, numbers, identifiers, and single other characters. */

export interface Token {
  /** `string`: a string, a template or a regular expression. */
  readonly kind: "comment" | "string" | "number" | "identifier" | "other";
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

const PATTERN =
  /(?<comment>\/\/[^\n]*|\/\*[^]*?\*\/)|(?<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|(?<=[(,=:[!&|?{};>]\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/)|(?<number>\b\d[\w.]*)|(?<identifier>[A-Za-z_$][\w$]*)|(?<other>\S)/g;

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  let counted = 0;
  for (const match of text.matchAll(PATTERN)) {
    for (; counted < match.index; counted++) if (text[counted] === "\n") line++;
    const [kind = "other", found = ""] = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined) ?? [];
    tokens.push({ kind: kind as Token["kind"], text: found, line }); // the groups of the pattern
  }
  return tokens;
}
