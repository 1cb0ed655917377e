// The language of a query: English, unless its words are rather those of another one.
import { ENGLISH } from "../languages/english.ts";
import { LANGUAGES } from "../languages/index.ts";
import type { Language } from "../languages/language.ts";
import { isKnownStem } from "./thesaurus.ts";

/** One stop word of another language may be a name in this one, such as AI. */
const MIN_STOP_WORDS = 2;

interface Vocabulary {
  readonly stopWords: ReadonlySet<string>;
  /** Those that it has synonyms or irregular forms for. */
  readonly words: ReadonlySet<string>;
}

const vocabularies = new Map<Language, Vocabulary>();

function vocabularyOf(language: Language): Vocabulary {
  const known = vocabularies.get(language);
  if (known !== undefined) return known;
  const { stopWords, synonyms, irregularForms } = language;
  const words = synonyms.flatMap(({ kind = [], members }) => [kind, ...members].flat());
  const vocabulary = { stopWords: new Set(stopWords), words: new Set([...words, ...irregularForms.flat()]) };
  vocabularies.set(language, vocabulary);
  return vocabulary;
}

export const isStopWord = (word: string, language: Language): boolean => vocabularyOf(language).stopWords.has(word);

/** The language that words are in as far as they tell one: a word of it at least. */
export function knownLanguageOf(words: readonly string[]): Language | undefined {
  const language = languageOf(words);
  return language !== ENGLISH || words.some((word) => isStopWord(word, ENGLISH) || isKnownStem(word, ENGLISH)) ? language : undefined;
}

/** Of folded words. */
export function languageOf(words: readonly string[]): Language {
  const english = words.filter((word) => isStopWord(word, ENGLISH) || isKnownStem(word, ENGLISH)).length;
  if (english === words.length) return ENGLISH;
  let best = { language: ENGLISH, count: english };
  for (const language of LANGUAGES) {
    const { stopWords, words: known } = vocabularyOf(language);
    const plain = words.map((word) => word.replace(language.affixes, ""));
    const stops = plain.filter((word) => stopWords.has(word)).length;
    const count = plain.filter((word) => stopWords.has(word) || known.has(word)).length;
    if (count > best.count && (stops >= MIN_STOP_WORDS || count > stops)) best = { language, count };
  }
  return best.language;
}
