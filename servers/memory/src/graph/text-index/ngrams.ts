// The n-grams that the indexes hold: all trigrams of a text, and the unigrams and bigrams with a character beyond ASCII, because scripts
// without blanks between words have words of one or two characters.
import { fold } from "./normalization.ts";

/** A text as the trigram index takes it. FTS5 ends a text at a NUL. */
export const trigramText = (text: string, foldText = fold): string => foldText(text).replaceAll("\u0000", "\u0001");

/** The FTS5 query for texts that hold all of the pieces. */
export const matchAll = (pieces: readonly string[]): string => pieces.map((piece) => `"${piece.replaceAll('"', '""')}"`).join(" ");

const BEYOND_ASCII = /[^\u0000-\u007f]/u; // eslint-disable-line no-control-regex

/** A unigram or bigram as a word of the short index. */
const wordOf = (gram: string): string => `u${Array.from(gram, (c) => (c.codePointAt(0) ?? 0).toString(36)).join("x")}`;

/** The unigrams and bigrams of a text with a character beyond ASCII, as words; empty for most Western texts. */
export function shortGrams(text: string, foldText = fold): string {
  if (!BEYOND_ASCII.test(text)) return "";
  const characters = Array.from(foldText(text));
  const words = new Set<string>();
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1];
    if (BEYOND_ASCII.test(character)) words.add(wordOf(character));
    if (next !== undefined && BEYOND_ASCII.test(character + next)) words.add(wordOf(character + next));
  }
  return [...words].join(" ");
}

/** The query for one or two characters. Undefined for ASCII, which the short index does not hold. */
export function shortQuery(text: string): string | undefined {
  return BEYOND_ASCII.test(text) ? wordOf(text) : undefined;
}
