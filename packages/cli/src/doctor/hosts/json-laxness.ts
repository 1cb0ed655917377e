// JSON laxness: the first comment or trailing comma of a text, which JSON does not allow and some hosts do.

export interface Laxness {
  readonly line: number;
  /** With its article: `a comment`. */
  readonly problem: string;
}

/** Strings are matched first: inside a string, slashes do not begin a comment. */
const TOKEN = /"(?:[^"\\]|\\.)*"|\/[/*]|,(?=\s*[}\]])/gs;

/** Undefined for strict JSON. */
export function findLaxness(text: string): Laxness | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    const found = [...text.matchAll(TOKEN)].find(([token]) => !token.startsWith('"'));
    if (found === undefined) return { line: 1, problem: "names or texts without double quotes" };
    return { line: text.slice(0, found.index).split("\n").length, problem: found[0] === "," ? "a trailing comma" : "a comment" };
  }
}
