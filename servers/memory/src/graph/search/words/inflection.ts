// Which words are forms of one word, by the stemmer and the irregular forms of a language.
import { ENGLISH } from "../languages/english.ts";
import type { Language } from "../languages/language.ts";

const MIN_ROOT = 3;
const MAX_KEPT = 20_000;
/** "flies" does not contain "fly", and less than that is too little to look up. */
const SHORT_WITH_Y = /^[a-z][^aeiou]y$/;

interface Inflection {
  /** Each irregular form with the word of which it is one. */
  readonly bases: ReadonlyMap<string, string>;
  readonly formsByStem: ReadonlyMap<string, readonly string[]>;
  readonly stems: Map<string, string>;
}

const inflections = new Map<Language, Inflection>();

function inflectionOf(language: Language): Inflection {
  const known = inflections.get(language);
  if (known !== undefined) return known;
  const { irregularForms, stem } = language;
  const inflection = {
    bases: new Map(irregularForms.flatMap(([base = "", ...forms]) => forms.map((form) => [form, base] as const))),
    formsByStem: new Map(irregularForms.map((forms) => [stem(forms[0] ?? ""), forms] as const)),
    stems: new Map(),
  };
  inflections.set(language, inflection);
  return inflection;
}

/** The same for all forms of a word. `word`: folded. */
export function stemOf(word: string, language: Language = ENGLISH): string {
  const { bases, stems } = inflectionOf(language);
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= MAX_KEPT) stems.clear();
  const stem = language.alphabet.test(word) ? language.stem(bases.get(word) ?? word) : word;
  stems.set(word, stem);
  return stem;
}

/** Pieces of text of at least three characters: each form of the word contains one of them. Porter's stems do not: happy has `happi`. */
export function rootsOf(word: string, language: Language = ENGLISH): string[] {
  const irregular = inflectionOf(language).formsByStem.get(stemOf(word, language)) ?? [];
  const roots = [word, ...irregular].flatMap((form) => [
    rootOf(form, language),
    ...(SHORT_WITH_Y.test(form) ? [`${form.slice(0, -1)}ie`] : []),
  ]);
  return [...new Set(roots)].filter(({ length }) => length >= MIN_ROOT);
}

function rootOf(word: string, language: Language): string {
  const stem = inflectionOf(language).bases.has(word) ? word : stemOf(word, language);
  let length = 0;
  while (length < stem.length && stem[length] === word[length]) length++;
  const root = word.slice(0, length).replace(/[eiy]$/, "");
  return root.length < MIN_ROOT ? word : root;
}
