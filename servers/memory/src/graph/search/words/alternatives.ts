// Alternatives of the terms of a query: corrected typing errors, for words that the memory does not have, and synonyms from the graph.
import { fold } from "../../text-index/normalization.ts";
import type { Rows } from "../../rows/rows.ts";
import { FoldedText, type FormKind } from "./folded-text.ts";
import { isInAny, mayBeMisspelled, similarWords } from "./spelling.ts";
import { relatedNames } from "./synonyms.ts";
import type { Alternative, Term } from "./term.ts";
import type { WordMatch } from "./word-matches.ts";

/** Entities that terms name, whose relations are read. */
const MAX_NAMED = 10;

/**
 * The terms that a text has as words of their own, or in other forms, without their occurrences within other words: "tea" is not in "teaches" where
 * another text has tea. The same array where there are none.
 */
export function asWholeWords(_rows: Rows, terms: readonly Term[], matches: readonly WordMatch[]): readonly Term[] {
  const kinds = (wanted: readonly FormKind[]): Set<Term> =>
    new Set(matches.flatMap((match) => match.matches.filter(({ kind }) => wanted.includes(kind)).map(({ term }) => term)));
  const [whole, part] = [kinds(["same", "inflected"]), kinds(["part"])];
  const changed = terms.map((term) => (whole.has(term) && part.has(term) ? { ...term, isWholeWord: true } : term));
  return changed.some((term, index) => term !== terms[index]) ? changed : terms;
}

/** The terms with corrections. The same array where there are none. */
export function withCorrections(rows: Rows, terms: readonly Term[], matches: readonly WordMatch[]): readonly Term[] {
  const found = new Set(matches.flatMap((match) => match.matches.map(({ term }) => term)));
  return withAlternatives(terms, (term) =>
    found.has(term) || !mayBeMisspelled(term.word) || isInAny(rows, [term.word]) // common words are in the memory, but perhaps in no candidate
      ? []
      : similarWords(rows, term.word, term.language).map((text) => ({ kind: "similar", text })),
  );
}

/** The terms with synonyms. The same array where there are none. */
export function withSynonyms(rows: Rows, terms: readonly Term[], matches: readonly WordMatch[]): readonly Term[] {
  const synonyms = new Map<Term, Set<string>>();
  const named = matches.map((match) => ({ entity: match.entity, naming: namingTerms(match) })).filter(({ naming }) => naming.length > 0);
  for (const { entity, naming } of named.slice(0, MAX_NAMED)) {
    const names = relatedNames(rows, entity).map(fold);
    for (const term of naming) synonyms.set(term, new Set([...(synonyms.get(term) ?? []), ...names]));
  }
  return withAlternatives(terms, (term) => [...(synonyms.get(term) ?? [])].map((text) => ({ kind: "related", text })));
}

/** Forms of a word that name an entity as it does. */
const NAMING: ReadonlySet<FormKind> = new Set(["same", "inflected", "similar", "former", "related"]);

/** The terms in a name, where they are the whole name. */
function namingTerms({ entity, matches }: WordMatch): Term[] {
  const inName = matches.filter(({ place, kind }) => place === "name" && NAMING.has(kind));
  return inName.length >= new FoldedText(entity.name).words.length ? inName.map(({ term }) => term) : [];
}

function withAlternatives(terms: readonly Term[], find: (term: Term) => Alternative[]): readonly Term[] {
  const extended = terms.map((term) => {
    const alternatives = find(term);
    return alternatives.length === 0 ? term : { ...term, alternatives: [...term.alternatives, ...alternatives] };
  });
  return extended.some((term, index) => term !== terms[index]) ? extended : terms;
}
