// Texts as they are compared in a search: letter case, accents and composition do not matter, by Unicode's case folding and decomposition.

const isAscii = (text: string): boolean => /^[\0-\x7F]*$/.test(text);

/** Letters with a stroke, which Unicode does not take apart. */
const STROKED: Readonly<Record<string, string>> = { ł: "l", ø: "o", đ: "d", ħ: "h", ŧ: "t" };
const ACCENTS = /[\u0300-\u036f]/g;

/** Lower, upper, lower: so both forms of ß become ss, and ligatures their letters. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  const lower = text.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
  return lower
    .normalize("NFD")
    .replaceAll(ACCENTS, "")
    .replaceAll(/[łøđħŧ]/g, (letter) => STROKED[letter] ?? letter)
    .normalize("NFC");
}

/** Whether LIKE finds the word in every text without {@link LETTERS_FOLDING_INTO_ASCII}. */
export const isPlain = isAscii;

/** Latin letters with accents and strokes, accents on their own, ligatures, and the signs of kelvin and angstrom: ranges for GLOB. */
export const LETTERS_FOLDING_INTO_ASCII = "\u00c0-\u024f\u0300-\u036f\u1e00-\u1eff\u212a-\u212b\ufb00-\ufb06";

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
