// A text as terms are looked for in it.
import { fold } from "../../text-index/normalization.ts";
import { stemOf } from "./inflection.ts";
import type { Term } from "./query-terms.ts";

/** Of a longer text, the words beyond this are found only as they are in the query. */
const MAX_LENGTH = 20_000;

export type FormKind = "same" | "inflected" | "part" | "related" | "similar";

/** The form of a term that a text has. */
export interface Form {
  readonly kind: FormKind;
  /** As in the text, folded. */
  readonly found: string;
}

export const FORM_WEIGHTS: Readonly<Record<FormKind, number>> = { same: 1, inflected: 0.95, part: 0.8, similar: 0.75, related: 0.7 };

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

export const wordsIn = (folded: string): string[] => folded.slice(0, MAX_LENGTH).match(WORD) ?? [];

export class FoldedText {
  readonly text: string;
  #words: readonly string[] | undefined;
  #stems: Map<string, string> | undefined;

  constructor(text: string) {
    this.text = fold(text);
  }

  get words(): readonly string[] {
    return (this.#words ??= wordsIn(this.text));
  }

  /** The best form of the term in this text. */
  formOf({ word, stem, roots, alternatives }: Term): Form | undefined {
    const isPart = this.text.includes(word);
    if (isPart && (stem === undefined || this.words.includes(word))) return { kind: "same", found: word };
    if (stem !== undefined && (isPart || roots.some((root) => this.text.includes(root)))) {
      const found = this.#wordWithStem(stem);
      if (found !== undefined) return { kind: "inflected", found };
    }
    if (isPart) return { kind: "part", found: word };
    for (const { kind, text } of alternatives) if (this.#hasWords(text)) return { kind, found: text };
    return undefined;
  }

  #wordWithStem(stem: string): string | undefined {
    this.#stems ??= new Map(this.words.map((word) => [stemOf(word), word]));
    return this.#stems.get(stem);
  }

  /** Whether it has the text as whole words, the last one in any form: "green tea" is in "two green teas". */
  #hasWords(wanted: string): boolean {
    if (!this.text.includes(wanted)) return false;
    const words = wordsIn(wanted);
    const stem = stemOf(words.pop() ?? "");
    return this.words.some(
      (word, at) => stemOf(word) === stem && words.every((earlier, index) => this.words[at - words.length + index] === earlier),
    );
  }
}
