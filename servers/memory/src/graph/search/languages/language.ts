// What search knows of a language. Another language is a file like english.ts, and an entry in index.ts.
import { fold } from "../../text-index/normalization.ts";

export interface Language {
  /** In English. */
  readonly name: string;
  /** The folded words that it stems. */
  readonly alphabet: RegExp;
  /** What is joined to a word in a question but no part of it, such as `'s`. */
  readonly affixes: RegExp;
  /** The same for all regular forms of a word. */
  stem(word: string): string;
  /** Words of questions and sentences that do not tell what is searched for. */
  readonly stopWords: readonly string[];
  /** The same of several words that tell something on their own. */
  readonly fillers: readonly Phrase[];
  /** Words whose forms do not begin alike, or that its stemmer takes for two. First the word, then its other forms. */
  readonly irregularForms: readonly Phrase[];
  /** Asked for by searches only. */
  readonly synonyms: readonly SynonymGroup[];
  /** Types of relations whose ends mean the same, with `_` between words. */
  readonly sameTypes: readonly string[];
  /** Types of relations whose source is a kind of the target. */
  readonly kindTypes: readonly string[];
}

/** Words, folded. */
export type Phrase = readonly string[];

export interface SynonymGroup {
  /** The word for all of the members; undefined where the members mean the same. */
  readonly kind: Phrase | undefined;
  readonly members: readonly Phrase[];
}

/** The words of a text. */
export const wordsIn = (text: string): string[] =>
  fold(text)
    .split(/\s+/)
    .filter((word) => word !== "");

/** Groups of words, separated by semicolons or lines. */
export const groupsIn = (text: string): string[][] =>
  text
    .split(/[;\n]/)
    .map(wordsIn)
    .filter((words) => words.length > 0);

const synonymsByText = new Map<string, readonly SynonymGroup[]>();

/**
 * `general: special special`, or `word word`; `_` stands between the words of a phrase. Lines that begin with # are headings. Read at the
 * first search: at the start of the server it took a third of the time.
 */
export function synonymsIn(text: string): readonly SynonymGroup[] {
  const known = synonymsByText.get(text) ?? parsedSynonyms(text);
  synonymsByText.set(text, known);
  return known;
}

const parsedSynonyms = (text: string): SynonymGroup[] =>
  text
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .flatMap((line) => line.split(";"))
    .map((group) => group.split(":"))
    .flatMap(([first = "", members]): SynonymGroup[] => {
      if (members !== undefined) return [{ kind: toPhrase(first.trim()), members: wordsIn(members).map(toPhrase) }];
      const words = wordsIn(first);
      return words.length === 0 ? [] : [{ kind: undefined, members: words.map(toPhrase) }];
    });

const toPhrase = (word: string): string[] => fold(word).split("_");
