// Which words are forms of one word: English by Porter's stemmer and a list of irregular forms. Words of other languages are compared as they
// are; there spelling.ts finds forms that differ by one letter.
import { stemmer } from "stemmer";
import { FORMS_OF, IRREGULAR_FORMS } from "./irregular-forms.ts";

const MIN_LENGTH = 3;
const MAX_KEPT = 20_000;

const stems = new Map<string, string>();

/** The same for all forms of a word. `word`: folded. */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= MAX_KEPT) stems.clear();
  const stem = word.length < MIN_LENGTH || !/^[a-z]+$/.test(word) ? word : stemmer(IRREGULAR_FORMS.get(word) ?? word);
  stems.set(word, stem);
  return stem;
}

/** Pieces of text of at least three characters: each form of the word contains one of them. Porter's stems do not: happy has `happi`. */
export function rootsOf(word: string): string[] {
  const base = IRREGULAR_FORMS.get(word) ?? word;
  const roots = [base, ...(FORMS_OF.get(base) ?? [])].map(rootOf);
  return [...new Set(roots)].filter(({ length }) => length >= MIN_LENGTH);
}

function rootOf(word: string): string {
  const stem = IRREGULAR_FORMS.has(word) ? word : stemOf(word);
  let length = 0;
  while (length < stem.length && stem[length] === word[length]) length++;
  const root = word.slice(0, length).replace(/[eiy]$/, "");
  return root.length < MIN_LENGTH ? word : root;
}
