// A bracket expression of a glob: `[abc]`, `[!a-z]`, `[[:alpha:]_]`. Split from the name matcher because its grammar is its own.

export interface ClassFound {
  /** Characters of the pattern it takes up. */
  readonly length: number;
  /** Missing: a class that can match nothing, such as `[z-a]`, and takes the rest of the name with it. */
  readonly test: ((char: string) => boolean) | undefined;
}

/** POSIX names as minimatch reads them: Unicode properties, and whether they are meant inverted. */
const NAMED: Readonly<Record<string, { readonly set: string; readonly inverted?: boolean; readonly ascii: boolean }>> = {
  alnum: { set: "\\p{L}\\p{Nl}\\p{Nd}", ascii: false },
  alpha: { set: "\\p{L}\\p{Nl}", ascii: false },
  ascii: { set: "\\x00-\\x7f", ascii: true },
  blank: { set: "\\p{Zs}\\t", ascii: false },
  cntrl: { set: "\\p{Cc}", ascii: false },
  digit: { set: "\\p{Nd}", ascii: false },
  graph: { set: "\\p{Z}\\p{C}", inverted: true, ascii: false },
  lower: { set: "\\p{Ll}", ascii: false },
  print: { set: "\\p{C}", inverted: true, ascii: false },
  punct: { set: "\\p{P}", ascii: false },
  space: { set: "\\p{Z}\\t\\r\\n\\v\\f", ascii: false },
  upper: { set: "\\p{Lu}", ascii: false },
  word: { set: "\\p{L}\\p{Nl}\\p{Nd}\\p{Pc}", ascii: false },
  xdigit: { set: "A-Fa-f0-9", ascii: true },
};

/** Does the pattern name Unicode properties, so that its characters are whole code points? */
export function hasProperties(text: string): boolean {
  return [...text.matchAll(/\[:([a-z]+):\]/g)].some(([, name = ""]) => NAMED[name]?.ascii === false);
}

/** Reads the class that `text` starts with; undefined when it is never closed, and so is plain text. `whole`: by code points. */
export function parseClass(text: string, whole = false): ClassFound | undefined {
  const inverted = text.charAt(1) === "!" || text.charAt(1) === "^";
  const first = inverted ? 2 : 1;
  let set = "";
  let unless = "";
  let from = "";
  let at = first;
  for (;;) {
    if (at >= text.length) return undefined;
    let c = character(text, at, whole);
    if (c === "]" && at > first) break;
    const name = c === "[" ? /^\[:([a-z]+):\]/.exec(text.slice(at, at + 11))?.[1] : undefined;
    const named = name === undefined ? undefined : NAMED[name];
    if (name !== undefined && named !== undefined) {
      if (from !== "") return { length: text.length, test: undefined };
      if (named.inverted) unless += named.set;
      else set += named.set;
      at += name.length + 4;
      continue;
    }
    if (c === "\\") {
      at += 1;
      if (at >= text.length) return undefined;
      c = character(text, at, whole);
    }
    at += c.length;
    if (from !== "") {
      // A range that runs backwards holds nothing.
      if (c >= from) set += `${escaped(from)}-${escaped(c)}`;
      from = "";
    } else if (text.charAt(at) === "-" && text.charAt(at + 1) === "]") {
      set += `${escaped(c)}\\-`;
      at += 1;
    } else if (text.charAt(at) === "-") {
      from = c;
      at += 1;
    } else set += escaped(c);
  }
  const length = at + 1;
  if (set === "" && unless === "") return { length: text.length, test: undefined };
  const flags = whole ? "u" : "";
  const listed = set === "" ? undefined : new RegExp(`^[${inverted ? "^" : ""}${set}]$`, flags);
  const others = unless === "" ? undefined : new RegExp(`^[${inverted ? "" : "^"}${unless}]$`, flags);
  return { length, test: (char) => (listed?.test(char) ?? false) || (others?.test(char) ?? false) };
}

function escaped(char: string): string {
  return /[\\\]^[-]/.test(char) ? `\\${char}` : char;
}

/** The character at this place of a text: a UTF-16 unit, or a whole code point. */
export function character(text: string, at: number, whole: boolean): string {
  return whole ? String.fromCodePoint(text.codePointAt(at) ?? 0) : text.charAt(at);
}
