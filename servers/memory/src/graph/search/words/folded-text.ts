// A text as terms are looked for in it.
import type { Language } from "../languages/language.ts";
import { fold } from "../../text-index/normalization.ts";
import { rootsOf, stemOf } from "./inflection.ts";
import type { Alternative, Term } from "./term.ts";

/** Of a longer text, the words beyond this are found only as they are in the query. */
const MAX_LENGTH = 20_000;

export type FormKind = "same" | "inflected" | "part" | Alternative["kind"];

/** The form of a term that a text has. */
export interface Form {
  readonly kind: FormKind;
  /** As in the text, folded. */
  readonly found: string;
}

/** How much a form counts of the word itself. */
export const FORM_WEIGHTS: Readonly<Record<FormKind, number>> = {
  same: 1,
  inflected: 0.95,
  part: 0.5,
  former: 0.9,
  similar: 0.75,
  related: 0.7,
  synonym: 0.6,
  broader: 0.4,
};

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

export const wordsIn = (folded: string): string[] => folded.slice(0, MAX_LENGTH).match(WORD) ?? [];

export class FoldedText {
  readonly text: string;
  #words: readonly string[] | undefined;
  readonly #stems = new Map<Language, StemmedWords>();

  constructor(text: string) {
    this.text = fold(text);
  }

  get words(): readonly string[] {
    return (this.#words ??= wordsIn(this.text));
  }

  /** The best form of the term in this text. */
  formOf({ word, stem, roots, alternatives, language, isWholeWord = false }: Term): Form | undefined {
    const isPart = this.text.includes(word);
    if (isPart && (stem === undefined || this.words.includes(word))) return { kind: "same", found: word };
    if (stem !== undefined && (isPart || roots.some((root) => this.text.includes(root)))) {
      const found = this.#stemmed(language).wordOf.get(stem);
      if (found !== undefined) return { kind: "inflected", found };
    }
    let best: Form | undefined = isPart && !isWholeWord ? { kind: "part", found: word } : undefined;
    for (const { kind, text } of alternatives)
      if ((best === undefined || FORM_WEIGHTS[kind] > FORM_WEIGHTS[best.kind]) && this.#hasPhrase(text, language))
        best = { kind, found: text };
    return best;
  }

  /** How often the text has the term, as a word in any form; 1 where it has it only otherwise. */
  countOf({ word, stem, roots, language }: Term): number {
    const isForm = (one: string): boolean => roots.some((root) => one.includes(root)) && stemOf(one, language) === stem;
    return Math.max(1, this.words.filter((one) => one === word || (stem !== undefined && isForm(one))).length);
  }

  #stemmed(language: Language): StemmedWords {
    const known = this.#stems.get(language);
    if (known !== undefined) return known;
    const stems = this.words.map((word) => stemOf(word, language));
    const stemmed = { stems, wordOf: new Map(stems.map((stem, at) => [stem, this.words[at] ?? ""])) };
    this.#stems.set(language, stemmed);
    return stemmed;
  }

  /** Whether it has the phrase as whole words in any forms: "green tea" is in "two green teas". */
  #hasPhrase(text: string, language: Language): boolean {
    const { stems: wanted, roots } = phraseOf(text, language);
    if (!roots.some((root) => this.text.includes(root))) return false;
    const { stems, wordOf } = this.#stemmed(language);
    const [first = "", ...others] = wanted;
    if (others.length === 0) return wordOf.has(first);
    return stems.some((stem, at) => stem === first && others.every((other, index) => stems[at + 1 + index] === other));
  }
}

interface StemmedWords {
  /** In the order of the words. */
  readonly stems: readonly string[];
  readonly wordOf: ReadonlyMap<string, string>;
}

interface StemmedPhrase {
  readonly stems: readonly string[];
  /** Texts with the phrase contain one of these pieces. */
  readonly roots: readonly string[];
}

const MAX_KEPT = 5000;
/** Shorter ones are in too many other words. */
const MIN_ROOT = 4;
const phrases = new Map<Language, Map<string, StemmedPhrase>>();

/** `text`: folded. */
export function phraseOf(text: string, language: Language): StemmedPhrase {
  const kept = phrases.get(language) ?? new Map<string, StemmedPhrase>();
  phrases.set(language, kept);
  const known = kept.get(text);
  if (known !== undefined) return known;
  if (kept.size >= MAX_KEPT) kept.clear();
  const words = wordsIn(text);
  const longest = words.reduce((most, word) => (word.length > most.length ? word : most), "");
  const roots = rootsOf(longest, language).map((root) => (root.length < MIN_ROOT ? longest : root));
  const phrase = { stems: words.map((word) => stemOf(word, language)), roots: roots.length > 0 ? roots : [longest] };
  kept.set(text, phrase);
  return phrase;
}
