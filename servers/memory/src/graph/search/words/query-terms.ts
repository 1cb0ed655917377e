// The terms of a query: its words and phrases without punctuation, filler and stop words, with the forms in which texts may have them and the
// words that mean the same.
import type { Language } from "../languages/language.ts";
import { rootsOf, stemOf } from "./inflection.ts";
import { isStopWord, languageOf } from "./query-language.ts";
import type { Term } from "./term.ts";
import { alternativesOf, phraseLength } from "./thesaurus.ts";

export type { Alternative, Term } from "./term.ts";

const MAX_TERMS = 12;

/** Of a folded query. A query of stop words only keeps them. */
export function termsOf(query: string): Term[] {
  const given = splitWords(query);
  const language = languageOf(given);
  const withoutAffixes = (word: string): string => (given.length < 2 ? word : word.replace(language.affixes, ""));
  const words = given.map(withoutAffixes);
  const asked = phrasesOf(withoutFillers(given, language).map(withoutAffixes), language);
  const telling = asked.filter((word) => !isStopWord(word, language));
  return [...new Set(telling.length > 0 ? telling : words)].slice(0, MAX_TERMS).map((word) => toTerm(word, language));
}

/** The stop words of a folded query with other words: they only decide between texts that have the others. */
export function fillersOf(query: string): string[] {
  const words = splitWords(query);
  const language = languageOf(words);
  return [...new Set(words.filter((word) => isStopWord(word, language)))].slice(0, MAX_TERMS);
}

const NUMBER = /^\p{N}+$/u;
const PLAIN_WORD = /^[\p{L}\p{N}\p{M}]+$/u;

function toTerm(word: string, language: Language): Term {
  const alternatives = alternativesOf(word.split(/[ -]/u), language);
  if (!PLAIN_WORD.test(word)) return { word, stem: undefined, roots: [], alternatives, language };
  const term = { word, stem: stemOf(word, language), roots: rootsOf(word, language), alternatives, language };
  return NUMBER.test(word) ? { ...term, isWholeWord: true } : term;
}

/** The words without phrases such as `tell me about`. */
function withoutFillers(words: readonly string[], { fillers }: Language): string[] {
  const kept: string[] = [];
  for (let at = 0; at < words.length;) {
    const lengths = fillers.filter((filler) => filler.every((word, index) => words[at + index] === word)).map(({ length }) => length);
    if (lengths.length === 0) kept.push(words[at] ?? "");
    at += Math.max(1, ...lengths);
  }
  return kept;
}

/** The words, with those of a known phrase as one. */
function phrasesOf(words: readonly string[], language: Language): string[] {
  const phrases: string[] = [];
  for (let at = 0; at < words.length;) {
    const length = phraseLength(words, at, language);
    phrases.push(words.slice(at, at + length).join(" "));
    at += length;
  }
  return phrases;
}

/** A query of one word keeps its punctuation, so that `c++` and `"x"` find only texts that have it. */
function splitWords(query: string): string[] {
  const words = query.match(/\S+/gu) ?? [];
  return words.length < 2 ? words : words.map(withoutPunctuation);
}

const withoutPunctuation = (word: string): string =>
  word.replace(/^["'([{¿¡“„«]+(?=[\p{L}\p{N}])/u, "").replace(/(?<=[\p{L}\p{N}])["')\]}?!.,;:”“»]+$/u, "");
