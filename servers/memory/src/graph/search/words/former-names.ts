// Names that entities had before a rename or a merge are other words for their present names.
import type { EntityRow } from "../../rows/entities.ts";
import type { Rows } from "../../rows/rows.ts";
import { fold } from "../../text-index/normalization.ts";
import { wordsIn } from "./folded-text.ts";
import type { Alternative, Term } from "./term.ts";

/** Former names that are compared, the newest. */
const MAX_FORMER = 1000;
/** Present names of one former name. */
const MAX_PRESENT = 3;

/** Entities that had the folded name before, or took one in that had it. The newest first. */
export function formerlyNamed(rows: Rows, name: string): EntityRow[] {
  const former = rows.entities.formerNames(MAX_FORMER).filter((one) => fold(one) === name);
  const names = new Set(former.flatMap((one) => rows.entities.formerlyNamed(one, MAX_PRESENT)));
  rows.prepare({ names });
  return [...names].flatMap((present) => rows.entities.named(present) ?? []).sort((a, b) => b.id - a.id);
}

/** The terms with present names, where they have all words of a former one. The same array where they have none. */
export function withFormerNames(rows: Rows, terms: readonly Term[]): readonly Term[] {
  const asked = new Set(terms.flatMap(({ word }) => wordsIn(word)));
  const named = rows.entities.formerNames(MAX_FORMER).flatMap((former) => {
    const words = wordsIn(fold(former));
    return words.length > 0 && words.every((word) => asked.has(word)) ? [{ former, words: new Set(words) }] : [];
  });
  if (named.length === 0) return terms;
  return terms.map((term) => {
    const own = named.filter(({ words }) => wordsIn(term.word).some((word) => words.has(word)));
    const present = new Set(own.flatMap(({ former }) => rows.entities.formerlyNamed(former, MAX_PRESENT)));
    const alternatives = [...present].map((name): Alternative => ({ kind: "former", text: fold(name) }));
    return alternatives.length === 0 ? term : { ...term, alternatives: [...alternatives, ...term.alternatives] };
  });
}
