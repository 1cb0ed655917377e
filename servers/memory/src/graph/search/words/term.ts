// The terms that a query is made of, which texts are compared with.
import type { Language } from "../languages/language.ts";

export interface Alternative {
  /**
   * Corrected from a typing error; the present name of an entity that had this one; a name that the graph relates to the word; another word for
   * it, or for one of its kind; or a word for the kind that it is one of.
   */
  readonly kind: "similar" | "former" | "related" | "synonym" | "broader";
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
  readonly language: Language;
  /** Whether other words that contain it do not count. */
  readonly isWholeWord?: boolean;
}
