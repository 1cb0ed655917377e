// JSON laxness: comments and trailing commas, which JSON does not allow and some hosts do.

export interface Laxness {
  readonly line: number;
  /** With its article: `a comment`. */
  readonly problem: string;
}

/** Strings are matched first: inside a string, slashes do not begin a comment. */
const COMMENTS = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*.*?(?:\*\/|$)/gs;
const COMMAS = /"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/gs;

/** The text as strict JSON, unless it is lax in another way, and the first thing that was taken out. Lines stay the same. */
export function strictJson(text: string): { json: string; laxness: Laxness | undefined } {
  let first: { at: number; problem: string } | undefined;
  const takeOut = (from: string, pattern: RegExp, problem: string): string =>
    from.replaceAll(pattern, (token, at: number) => {
      if (token.startsWith('"')) return token;
      if (first === undefined || at < first.at) first = { at, problem };
      return token.replaceAll(/[^\n]/g, " ");
    });
  const json = takeOut(takeOut(text, COMMENTS, "a comment"), COMMAS, "a trailing comma");
  return { json, laxness: first && { line: text.slice(0, first.at).split("\n").length, problem: first.problem } };
}
