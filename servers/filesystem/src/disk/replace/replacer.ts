// A replacer: makes the new text of a file from the old one. Plain text is replaced here, regular expressions by ripgrep.
import { DiskError } from "../errors.ts";
import { inLineEndingsOf } from "../text/line-ending-conversion.ts";
import type { Replacer, ReplaceQuery } from "./replace-query.ts";

const WORD = String.raw`[\p{L}\p{M}\p{N}_]`;
const SPECIAL = /[\\^$.*+?()[\]{}|/]/g;

/** Makes all replacements, each in the text that the one before has made. */
export async function replacerFor(queries: readonly ReplaceQuery[]): Promise<Replacer> {
  const replacers = await Promise.all(queries.map(oneReplacer));
  return async (given, signal) => {
    let [text, replacements] = [given, 0];
    for (const replacer of replacers) {
      const replaced = await replacer(text, signal);
      text = replaced.text;
      replacements += replaced.replacements;
    }
    return { text, replacements };
  };
}

async function oneReplacer(query: ReplaceQuery): Promise<Replacer> {
  if (query.pattern === "") throw new DiskError("invalid", "Empty pattern: expected the text to replace.");
  if (!query.regex) return plainReplacer(query);
  const { regexReplacer } = await import("./regex-replacer.ts");
  return regexReplacer(query);
}

/** A newline in the query stands for the line endings of the file. */
function plainReplacer({ pattern: find, replacement, wholeWord, caseSensitive }: ReplaceQuery): Replacer {
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
