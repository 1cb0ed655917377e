// The words of a search: a row matches where it holds all of them, in any order and any column. A text in double quotes is one phrase.

export interface SearchTerms {
  /** In lower case. */
  readonly phrase: string;
  /** Different words, in lower case. */
  readonly words: readonly string[];
}

const MAX_WORDS = 20;

/** With more words than SQLite can combine cheaply, the text is one phrase. */
export function searchTermsOf(text: string): SearchTerms {
  const trimmed = text.trim().toLowerCase();
  const quoted = /^"([^"]+)"$/.exec(trimmed)?.[1];
  const words = [...new Set(trimmed.split(/\s+/))];
  const isPhrase = quoted !== undefined || words.length > MAX_WORDS;
  const phrase = quoted ?? trimmed;
  return { phrase, words: isPhrase ? [phrase] : words };
}

const quoted = (term: string): string => `"${term.replaceAll('"', '""')}"`;
const hasLetter = (word: string): boolean => /[\p{L}\p{N}]/u.test(word);

/** A query of FTS5, which ranks rows with the phrase first. Undefined: FTS5 finds no word in the text. */
export function fullTextQuery({ phrase, words }: SearchTerms): string | undefined {
  const terms = words.filter(hasLetter).map(quoted);
  if (terms.length === 0) return undefined;
  return terms.length === 1 ? terms[0] : `${quoted(phrase)} OR (${terms.join(" AND ")})`;
}
