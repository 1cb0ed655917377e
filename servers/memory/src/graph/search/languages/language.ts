// What search knows of a language. Another language is a file like english.ts, and an entry in index.ts.

export interface Language {
  /** The folded words that it stems: a word is of the first language that matches it. */
  readonly alphabet: RegExp;
  /** The same for all regular forms of a word. */
  stem(word: string): string;
  /** Words of questions and sentences that do not tell what is searched for. */
  readonly stopWords: readonly string[];
  /** Words whose forms do not begin alike, so that no stemmer finds one by the other. First the word, then its other forms. */
  readonly irregularForms: readonly (readonly string[])[];
  /** Types of relations whose ends mean the same, with `_` between words. */
  readonly sameTypes: readonly string[];
  /** Types of relations whose source is a kind of the target. */
  readonly kindTypes: readonly string[];
}

/** The words of a text. */
export const wordsIn = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");

/** One word with its forms on each line. */
export const formsIn = (text: string): string[][] => text.trim().split("\n").map(wordsIn);
