// The pieces of texts that the indexes hold: every three characters in a row, and for scripts beyond ASCII, which often have no
// blanks between words, also every one and two.
import { fold } from "./normalization.ts";

/** As it goes into the index of three characters; that one ends at a NUL. */
export const indexed = (text: string): string => fold(text).replaceAll("\u0000", "\u0001");

/** What a text must hold, as a query. */
export const queryOf = (pieces: readonly string[]): string => pieces.map((piece) => `"${piece.replaceAll('"', '""')}"`).join(" ");

const BEYOND_ASCII = /[^\u0000-\u007f]/u; // eslint-disable-line no-control-regex

/** One or two characters as a word of the index. */
const wordOf = (piece: string): string => `u${Array.from(piece, (c) => (c.codePointAt(0) ?? 0).toString(36)).join("x")}`;

/** Every one and two characters with one beyond ASCII among them, as words; empty for most Western texts. */
export function shortGrams(text: string): string {
  if (!BEYOND_ASCII.test(text)) return "";
  const characters = Array.from(fold(text));
  const words = new Set<string>();
  for (const [at, character] of characters.entries()) {
    const next = characters[at + 1];
    if (BEYOND_ASCII.test(character)) words.add(wordOf(character));
    if (next !== undefined && BEYOND_ASCII.test(character + next)) words.add(wordOf(character + next));
  }
  return [...words].join(" ");
}

/** The query for one or two characters, or undefined where only reading everything helps. */
export function shortQuery(wanted: string): string | undefined {
  return BEYOND_ASCII.test(wanted) ? wordOf(wanted) : undefined;
}
