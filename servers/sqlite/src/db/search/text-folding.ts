// Texts as they are compared in a search: letter case and composition do not matter, by Unicode's full case folding and NFC.

const isAscii = (text: string): boolean => /^[\0-\x7F]*$/.test(text);

/** Lower, upper, lower: so both forms of ß become ss, and ligatures their letters. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text.normalize("NFC").toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ").normalize("NFC");
}

/** Whether LIKE finds the word in every text without the letters of {@link lettersFoldingInto}. */
export const isPlain = isAscii;

/** The letters outside of ASCII that fold to letters of ASCII. */
const FOLDING: readonly (readonly [letter: string, folded: string])[] = Array.from(
  "ßẞſKŉǰẖẗẘẙẚİıﬀﬁﬂﬃﬄﬅﬆ",
  (letter) => [letter, fold(letter)] as const,
);

/** Those that may be a part of the word. */
export const lettersFoldingInto = (word: string): string[] =>
  FOLDING.filter(([, folded]) => word.includes(folded) || overlap(word, folded) || overlap(folded, word)).map(([letter]) => letter);

/** Whether `after` begins with what `before` ends with. */
const overlap = (before: string, after: string): boolean =>
  [1, 2].some((length) => before.length > length && after.startsWith(before.slice(-length)));

/** Where a folded text begins in the text itself; -1 where it does not occur. */
export function foldedIndexOf(text: string, wanted: string): number {
  const at = fold(text).indexOf(wanted);
  if (at <= 0 || isAscii(text)) return at;
  // Folding changes lengths, so the letters before the match are folded again until they are as long.
  let length = 0;
  let index = 0;
  for (const letter of text) {
    if (length >= at) break;
    length += fold(letter).length;
    index += letter.length;
  }
  return index;
}

/** Texts of fewer letters occur in any picture. */
const MIN_BINARY_LENGTH = 4;
const NOT_TEXT = /[^\P{Cc}\t\n\r]|\uFFFD/u;

/** A value as the text to search; of a BLOB without control characters, if it is not plain text. */
export function searchedText(value: unknown): string {
  if (Buffer.isBuffer(value)) return value.toString().replaceAll(new RegExp(`(?:${NOT_TEXT.source})+`, "gu"), "·");
  return typeof value === "string" || typeof value === "number" || typeof value === "bigint" ? String(value) : "";
}

/** @param word Folded. */
export function containsWord(value: unknown, word: string): boolean {
  if (!Buffer.isBuffer(value)) return fold(searchedText(value)).includes(word);
  const text = value.toString();
  return (word.length >= MIN_BINARY_LENGTH || !NOT_TEXT.test(text)) && fold(text).includes(word);
}
