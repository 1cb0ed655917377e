// Which words are forms of one word: English by Porter's stemmer and a list of irregular forms. Words of other languages are compared as they
// are; there spelling.ts finds forms that differ by one letter.
import { stemmer } from "stemmer";
import { IRREGULAR_WORDS } from "./irregular-forms.ts";

const MIN_ROOT = 3;
const MAX_KEPT = 20_000;

/** Each irregular form with the word of which it is one. */
const BASES = new Map(IRREGULAR_WORDS.flatMap(([base = "", ...forms]) => forms.map((form) => [form, base] as const)));
const FORMS_BY_STEM = new Map(IRREGULAR_WORDS.map((forms) => [stemmer(forms[0] ?? ""), forms]));

const stems = new Map<string, string>();

/** The same for all forms of a word. `word`: folded. */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= MAX_KEPT) stems.clear();
  const stem = /^[a-z]+$/.test(word) ? stemmer(BASES.get(word) ?? word) : word;
  stems.set(word, stem);
  return stem;
}

/** Pieces of text of at least three characters: each form of the word contains one of them. Porter's stems do not: happy has `happi`. */
export function rootsOf(word: string): string[] {
  const roots = [word, ...(FORMS_BY_STEM.get(stemOf(word)) ?? [])].map(rootOf);
  return [...new Set(roots)].filter(({ length }) => length >= MIN_ROOT);
}

function rootOf(word: string): string {
  const stem = BASES.has(word) ? word : stemOf(word);
  let length = 0;
  while (length < stem.length && stem[length] === word[length]) length++;
  const root = word.slice(0, length).replace(/[eiy]$/, "");
  return root.length < MIN_ROOT ? word : root;
}
