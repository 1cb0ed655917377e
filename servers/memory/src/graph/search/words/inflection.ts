// Which words are forms of one word, by the stemmers and irregular forms of the languages that search knows. Words of other languages are
// compared as they are; there spelling.ts finds forms that differ by one letter.
import { LANGUAGES } from "../languages/index.ts";

const MIN_ROOT = 3;
const MAX_KEPT = 20_000;

/** Each irregular form with the word of which it is one. */
const BASES = new Map(
  LANGUAGES.flatMap(({ irregularForms }) => irregularForms.flatMap(([base = "", ...forms]) => forms.map((form) => [form, base] as const))),
);
const FORMS_BY_STEM = new Map(
  LANGUAGES.flatMap(({ irregularForms, stem }) => irregularForms.map((forms) => [stem(forms[0] ?? ""), forms] as const)),
);

const stems = new Map<string, string>();

/** The same for all forms of a word. `word`: folded. */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= MAX_KEPT) stems.clear();
  const language = LANGUAGES.find(({ alphabet }) => alphabet.test(word));
  const stem = language === undefined ? word : language.stem(BASES.get(word) ?? word);
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
