// A replacer: makes the new text of a file from the old one. Plain text is replaced here, regular expressions by ripgrep.
import { DiskError } from "../errors.ts";

export interface ReplaceQuery {
  readonly find: string;
  readonly replacement: string;
  /** `find` is a regular expression, and `$1` or `$name` in the replacement is a group of it. Default: both are plain text. */
  readonly regex: boolean;
  /** Only matches that no letter, digit or underscore touches. */
  readonly wholeWord: boolean;
  readonly caseSensitive: boolean;
}

export interface Replaced {
  readonly text: string;
  readonly replacements: number;
}

export type Replacer = (text: string, signal?: AbortSignal) => Promise<Replaced>;

const WORD = String.raw`[\p{L}\p{M}\p{N}_]`;
const SPECIAL = /[\\^$.*+?()[\]{}|/]/g;

export async function replacerFor(query: ReplaceQuery): Promise<Replacer> {
  if (query.find === "") throw new DiskError("invalid", "Empty find: expected the text to replace.");
  if (!query.regex) return plainReplacer(query);
  const { regexReplacer } = await import("./regex-replacer.ts");
  return regexReplacer(query);
}

/** A newline in the query stands for the line endings of the file. */
function plainReplacer({ find, replacement, wholeWord, caseSensitive }: ReplaceQuery): Replacer {
  const source = find
    .replaceAll("\r\n", "\n")
    .replace(SPECIAL, String.raw`\$&`)
    .replaceAll("\n", String.raw`\r?\n`);
  const pattern = new RegExp(wholeWord ? `(?<!${WORD})${source}(?!${WORD})` : source, caseSensitive ? "gu" : "giu");
  return (text) => {
    const inserted = inLineEndingsOf(text, replacement);
    let replacements = 0;
    const replaced = text.replace(pattern, () => {
      replacements += 1;
      return inserted;
    });
    return Promise.resolve({ text: replaced, replacements });
  };
}

/** A text in the line endings of another one. */
export function inLineEndingsOf(text: string, part: string): string {
  const lf = part.replaceAll("\r\n", "\n");
  const newline = text.indexOf("\n");
  return newline > 0 && text[newline - 1] === "\r" ? lf.replaceAll("\n", "\r\n") : lf;
}
