// The terms of a query: its words without punctuation and stop words, with the forms in which texts may have them.
import { LANGUAGES } from "../languages/index.ts";
import { rootsOf, stemOf } from "./inflection.ts";

const MAX_TERMS = 12;

const STOP_WORDS: ReadonlySet<string> = new Set(LANGUAGES.flatMap(({ stopWords }) => stopWords));

export interface Alternative {
  /** Corrected from a typing error, or a name that the graph relates to the word. */
  readonly kind: "similar" | "related";
  /** Folded. */
  readonly text: string;
}

export interface Term {
  /** As in the query, folded. */
  readonly word: string;
  /** Undefined for what is not a plain word: it is found only as it is. */
  readonly stem: string | undefined;
  /** Texts with a form of the word contain one of these pieces. */
  readonly roots: readonly string[];
  /** What also counts as the word. */
  readonly alternatives: readonly Alternative[];
}

/** Of a folded query. A query of stop words only keeps them. */
export function termsOf(query: string): Term[] {
  const words = splitWords(query);
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return (telling.length > 0 ? telling : words).slice(0, MAX_TERMS).map(toTerm);
}

const PLAIN_WORD = /^[\p{L}\p{N}\p{M}]+$/u;

function toTerm(word: string): Term {
  if (!PLAIN_WORD.test(word)) return { word, stem: undefined, roots: [], alternatives: [] };
  return { word, stem: stemOf(word), roots: rootsOf(word), alternatives: [] };
}

/** A query of one word keeps its punctuation, so that `c++` and `"x"` find only texts that have it. */
function splitWords(query: string): string[] {
  const words = query.match(/\S+/gu) ?? [];
  if (words.length < 2) return words;
  return [...new Set(words.map((word) => withoutPunctuation(word).replace(/['’]s$/u, "")))];
}

const withoutPunctuation = (word: string): string =>
  word.replace(/^["'([{¿¡“„«]+(?=[\p{L}\p{N}])/u, "").replace(/(?<=[\p{L}\p{N}])["')\]}?!.,;:”“»]+$/u, "");
