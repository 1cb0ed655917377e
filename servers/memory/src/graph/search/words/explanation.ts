// Tells which words of a query an entity has, where, and in which form.
import { clip } from "@oarlock/domain-kit";
import { ALL_WORDS_SCORE } from "../hit.ts";
import type { FormKind } from "./folded-text.ts";
import type { Term } from "./query-terms.ts";
import type { Place, TermMatch } from "./word-matches.ts";

const MAX_EXPLAINED = 3;
const MAX_WORD_LENGTH = 30;
const PLACES: Readonly<Record<Place, string>> = { name: "its name", type: "its type", observation: "an observation" };

/** From 0 to 1, for the caller. */
export function scoreOf(terms: readonly Term[], found: readonly TermMatch[]): number {
  const share = found.length / terms.length;
  return share === 1 ? ALL_WORDS_SCORE : Math.round(50 * share) / 100;
}

const OTHER_WORDS: ReadonlySet<FormKind> = new Set(["similar", "former", "related", "synonym", "broader"]);

/** A word for the kind of thing tells little: "family" names more than a husband. */
export const isOwnWord = ({ kind }: TermMatch): boolean => kind !== "broader";

/** Whether the explanation names other words than those of the query. */
export const hasOtherWords = (found: readonly TermMatch[]): boolean =>
  found.slice(0, MAX_EXPLAINED).some(({ kind }) => OTHER_WORDS.has(kind));

/** Terms that an entity has by a relation only. */
export interface RelationTerms {
  readonly terms: readonly Term[];
  /** `Bea → sister_of → Ada`. */
  readonly relation: string;
}

/** One sentence. */
export function explain(terms: readonly Term[], found: readonly TermMatch[], byRelation?: RelationTerms): string {
  const parts = found.slice(0, MAX_EXPLAINED).map(explainMatch);
  if (found.length > MAX_EXPLAINED) parts.push(`and ${found.length - MAX_EXPLAINED} more`);
  const others = byRelation?.terms ?? [];
  if (byRelation !== undefined && others.length > 0)
    parts.push(`${others.map(({ word }) => clip(word, MAX_WORD_LENGTH)).join(" and ")} by its relation ${byRelation.relation}`);
  const count = found.length + others.length;
  const which =
    terms.length === 1 ? "Has" : count === terms.length ? `Has all ${terms.length} words:` : `Has ${count} of ${terms.length} words:`;
  return `${which} ${parts.join(", ")}.`;
}

/** `living as lives in an observation`. */
function explainMatch({ term, kind, found, place }: TermMatch): string {
  const word = clip(term.word, MAX_WORD_LENGTH);
  const form = clip(found, MAX_WORD_LENGTH);
  const where = `in ${PLACES[place]}`;
  if (kind === "inflected") return `${word} as ${form} ${where}`;
  if (kind === "similar") return `${form}, spelled like ${word}, ${where}`;
  if (kind === "related") return `${form}, by its relation to ${word}, ${where}`;
  if (kind === "former") return `${form}, formerly ${word}, ${where}`;
  if (kind === "synonym" || kind === "broader") return `${form} for ${word} ${where}`;
  return `${word} ${where}`;
}
