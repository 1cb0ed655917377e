// Typing errors: words that differ by one letter, which is missing, doubled or swapped with the next one, or wrong.
import type { Rows } from "../../rows/rows.ts";
import { ENGLISH } from "../languages/english.ts";
import type { Language } from "../languages/language.ts";
import { wordsIn } from "./folded-text.ts";
import { stemOf } from "./inflection.ts";

/** Shorter words are like too many others. */
const MIN_LENGTH = 4;
const MAX_LENGTH = 40;
/** In a shorter word, such as "like", another letter makes another word: "live". */
const MIN_LENGTH_WITH_WRONG_LETTER = 6;
/** Pieces must be trigrams at least, to be found in an index. */
const MIN_PIECE = 3;
/** Texts of each kind that are looked at. */
const MAX_TEXTS = 200;
const MAX_SIMILAR = 8;

/** Scripts with letters. In others a letter is a word or a syllable. */
const LETTERS = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}\p{M}]+$/u;

export const mayBeMisspelled = (word: string): boolean => word.length >= MIN_LENGTH && word.length <= MAX_LENGTH && LETTERS.test(word);

/** Whether a text contains one of the pieces, which have three characters or more. */
export function isInAny(rows: Rows, pieces: readonly string[]): boolean {
  const groups = pieces.map((piece) => [piece]);
  for (const _text of groups.length === 0 ? [] : rows.texts.withAny(groups, 1)) return true;
  return false;
}

/** Words of the memory that are nearly the same as a folded word that may be misspelled and that the memory does not have. */
export function similarWords(rows: Rows, word: string, language: Language = ENGLISH): string[] {
  const { narrow, wide } = piecesOf(word);
  for (const groups of [narrow, wide].filter(({ length }) => length > 0)) {
    const found = new Map<string, number>();
    for (const text of rows.texts.withAny(groups, MAX_TEXTS))
      for (const other of new Set(wordsIn(text))) if (isSimilar(word, other, language)) found.set(other, (found.get(other) ?? 0) + 1);
    // The most frequent ones first; then in a fixed order, so that all stores agree.
    const sorted = [...found].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1));
    if (sorted.length > 0) return sorted.slice(0, MAX_SIMILAR).map(([other]) => other);
  }
  return [];
}

const isSimilar = (word: string, other: string, language: Language): boolean =>
  differsByOne(word, other) || differsWithin(stemOf(word, language), stemOf(other, language));

/** Of stems: at their ends they differ because they are stems of other words. */
const differsWithin = (stem: string, other: string): boolean =>
  Math.min(stem.length, other.length) > MIN_LENGTH && stem.at(-1) === other.at(-1) && differsByOne(stem, other);

const withoutAccents = (word: string): string => word.normalize("NFD").replaceAll(/\p{M}/gu, "");

/** Whether they differ in accents, or one letter is missing or added, two neighbours are swapped, or, in a long word, a letter is wrong. */
export function differsByOne(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  if (withoutAccents(a) === withoutAccents(b)) return true;
  let start = 0;
  while (a[start] === b[start]) start++; // ends, as they are not equal
  if (a.slice(start) === b.slice(start + 1) || a.slice(start + 1) === b.slice(start)) return true;
  const isSwapped = a[start] === b[start + 1] && a[start + 1] === b[start] && a.slice(start + 2) === b.slice(start + 2);
  return isSwapped || (a.length >= MIN_LENGTH_WITH_WRONG_LETTER && a.slice(start + 1) === b.slice(start + 1));
}

const between = (first: string, last: string): string[] =>
  Array.from({ length: last.charCodeAt(0) - first.charCodeAt(0) + 1 }, (_, at) => String.fromCharCode(first.charCodeAt(0) + at));

/** The letters that a word of this script may lack. */
const lettersOf = (word: string): string[] =>
  /\p{Script=Cyrillic}/u.test(word) ? between("а", "я") : /\p{Script=Greek}/u.test(word) ? between("α", "ω") : between("a", "z");

/**
 * Groups of pieces: a text with a similar word contains all pieces of one group. The narrow ones are in few texts; a wide one is the half of
 * a word.
 */
function piecesOf(word: string): { narrow: string[][]; wide: string[][] } {
  const groups: string[][] = [];
  const letters = lettersOf(word);
  for (let at = 0; at < word.length; at++) {
    const before = word.slice(0, at);
    // A letter too many, and two swapped ones: the right word is known.
    groups.push([before + word.slice(at + 1)], [before + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2)]);
    // A letter that is missing here; and a wrong one, or one without its accent.
    const after = word.slice(at);
    if (Math.max(before.length, after.length) >= MIN_PIECE) groups.push([before, after]);
    else groups.push(...letters.map((letter) => [`${before}${letter}${after}`]));
    groups.push([before, word.slice(at + 1)]);
  }
  const long = groups.map((group) => group.filter(({ length }) => length >= MIN_PIECE)).filter(({ length }) => length > 0);
  const unique = [...new Map(long.map((group) => [group.join(" "), group])).values()];
  const isNarrow = (group: readonly string[]): boolean => group.join("").length >= word.length - 1;
  return { narrow: unique.filter(isNarrow), wide: unique.filter((group) => !isNarrow(group)) };
}
