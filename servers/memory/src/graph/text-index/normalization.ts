// The forms in which texts are compared: for search, and for finding names that are nearly the same.

/** Letters that Unicode does not take apart, as people write them without them, and typographic signs as keyboards have them. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ ß: "ss", ı: "i", ς: "σ", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ё: "е" },
  ...{ "’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "‐": "-", "‑": "-", "–": "-", "—": "-", "⁄": "/" },
};
const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "gu");
const ASCII = /^[\u0000-\u007f]*$/; // eslint-disable-line no-control-regex
/** Accents, and the vowel signs of Hebrew and Arabic, which people leave out. Other marks are vowels or make other letters, as in Cyrillic. */
const MARKS = /(?<!\p{Script=Cyrillic})[\u0300-\u036f]|[\u0591-\u05bd\u05bf\u05c1-\u05c7\u064b-\u065f\u0670]/gu;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;

/**
 * For search: without case, accents and forms of the same characters, so that `Zoë` is found in whatever way it is composed, and `STRASSE` finds
 * `Straße`. A text that contains another one in lower case contains it folded too: each result of the reference server is found here.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(INVISIBLE, "")
    .replaceAll(MARKS, "")
    .normalize("NFC")
    .replaceAll(SPECIAL, (letter) => PLAIN[letter] ?? letter);
}

/** For similar names: folded, without blanks and punctuation, so that "Jean-Luc" and "jean luc" have the same key. Never empty for a name. */
export function similarityKey(name: string): string {
  const folded = fold(name);
  return folded.replace(/[^\p{L}\p{N}\p{M}]+/gu, "") || folded || name;
}
