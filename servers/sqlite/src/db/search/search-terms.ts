// The words of a search: a row matches where it holds all of them, in any order and any column. A text in double quotes is one phrase.
import { fold } from "./text-folding.ts";

export interface SearchTerms {
  /** Folded. */
  readonly phrase: string;
  /** Different words, folded. */
  readonly words: readonly string[];
  /** The words as they were given, for tokenizers, which fold in their own way. */
  readonly given: readonly string[];
}

const MAX_WORDS = 20;

/** With more words than SQLite can combine cheaply, the text is one phrase. */
export function searchTermsOf(text: string): SearchTerms {
  const trimmed = text.trim().normalize("NFC");
  const quoted = /^"([^"]+)"$/.exec(trimmed)?.[1];
  const words = [...new Set(trimmed.split(/\s+/))];
  const isPhrase = quoted !== undefined || words.length > MAX_WORDS;
  const given = isPhrase ? [quoted ?? trimmed] : words;
  return { phrase: fold(quoted ?? trimmed), words: [...new Set(given.map(fold))], given };
}
