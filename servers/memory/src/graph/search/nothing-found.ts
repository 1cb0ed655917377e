// What a search without a hit tells: which words are not in the memory, what is spelled like them, and what was there before.
import { nearestNames } from "@oarlock/domain-kit";
import { pastFacts, type PastFacts } from "../read/open-nodes.ts";
import { suggestNames } from "../read/suggestions.ts";
import type { Rows } from "../rows/rows.ts";
import { fold } from "../text-index/normalization.ts";
import { FoldedText, wordsIn } from "./words/folded-text.ts";
import { knownLanguageOf } from "./words/query-language.ts";
import { termsOf } from "./words/query-terms.ts";
import { isInAny } from "./words/spelling.ts";
import type { Term } from "./words/term.ts";

const MAX_SHOWN = 3;
/** Texts whose words are compared with one that is not in the memory. */
const MAX_TEXTS = 100;
/** Shorter pieces are in no index. */
const MIN_PIECE = 3;
const MAX_PAST = 100;
/** Deleted entities that are looked through, the last ones. */
const MAX_ENDED = 3000;

export interface NothingFound {
  /** Words of the query that no text contains. */
  readonly unknownWords: readonly string[];
  /** Names and words that are spelled like those. */
  readonly similar: readonly string[];
  /** Entities with past observations that have the words. */
  readonly past: readonly PastFacts[];
  /** Whether the newest entities have others. */
  readonly hasPast: boolean;
  /** Entities that had a name of the query. `at`: a date. */
  readonly deleted: readonly { readonly name: string; readonly at: string }[];
  /** How many entities there are. */
  readonly entities: number;
  /** The language of the newest facts, where the query is in another one. */
  readonly language?: string;
}

/** For a query that nothing matches. */
export function nothingFound(rows: Rows, query: string): NothingFound {
  return rows.read(() => {
    const terms = termsOf(fold(query));
    const { entities } = rows.totals();
    const missing = entities === 0 ? [] : terms.filter((term) => isUnknown(rows, term));
    const past = pastWords(rows, terms, missing);
    const unknown = missing.map(({ word }) => word).filter((word) => !past.words.includes(word));
    const asked = query.trim();
    const others = unknown.filter((word) => word !== fold(asked));
    const similar = new Set([asked, ...others].flatMap((word) => suggestNames(rows, word)));
    if (similar.size === 0) for (const word of unknown) for (const other of similarWords(rows, word)) similar.add(other);
    const deleted = deletedEntities(rows, terms, query);
    const isDeleted = new Set(deleted.map(({ name }) => name));
    const language = languageOfFacts(rows, query);
    return {
      unknownWords: unknown,
      similar: [...similar].slice(0, MAX_SHOWN),
      past: past.of.filter(({ name }) => !isDeleted.has(name)),
      hasPast: pastFacts(rows, rows.entities.newest(NEWEST)).length > 0,
      deleted,
      entities,
      ...(language !== undefined && { language }),
    };
  });
}

/** Entities whose facts tell the language of a memory, and facts of each. */
const NEWEST = 20;
const LANGUAGE_FACTS = 5;

function languageOfFacts(rows: Rows, query: string): string | undefined {
  const asked = knownLanguageOf(wordsIn(fold(query)));
  if (asked === undefined) return undefined;
  const ids = rows.entities.newest(NEWEST).map(({ id }) => id);
  rows.prepare({ observationsOf: ids });
  const texts = ids.flatMap((id) => rows.observations.of(id).slice(-LANGUAGE_FACTS));
  const language = knownLanguageOf(texts.flatMap(({ text }) => wordsIn(fold(text))));
  return language === asked ? undefined : language?.name;
}

const piecesOf = ({ word, roots }: Term): string[] => [...new Set([word, ...roots])].filter(({ length }) => length >= MIN_PIECE);

/** Whether no text has the word. */
export function isUnknown(rows: Rows, term: Term): boolean {
  const pieces = piecesOf(term);
  return pieces.length > 0 && !isInAny(rows, pieces);
}

/** Words that begin or end like this one and differ by a few letters. */
function similarWords(rows: Rows, word: string): string[] {
  if (word.length < MIN_PIECE + 1) return [];
  const texts = rows.texts.withAny([[word.slice(0, MIN_PIECE)], [word.slice(-MIN_PIECE)]], MAX_TEXTS);
  return nearestNames(word, new Set([...texts].flatMap(wordsIn)), MAX_SHOWN);
}

/** What past facts say of a query. */
export interface PastWords {
  /** Whose facts these are. */
  readonly of: readonly PastFacts[];
  /** The words that they have. */
  readonly words: readonly string[];
}

/**
 * Entities whose past observations have the most of the terms, together with their names, and half of them at least; and those whose past
 * observations have a term that no present text has (`missing`).
 */
export function pastWords(rows: Rows, terms: readonly Term[], missing: readonly Term[]): PastWords {
  const pieces = [...new Set(terms.flatMap(piecesOf))];
  const found = (pieces.length === 0 ? [] : rows.texts.pastWithAny(pieces, MAX_PAST)).map(({ name, text }) => {
    const folded = new FoldedText(`${name} ${text}`);
    return { name, terms: terms.filter((term) => folded.formOf(term) !== undefined) };
  });
  const most = Math.max(terms.length / 2, ...found.map((one) => one.terms.length));
  const best = found.filter((one) => one.terms.length >= most || one.terms.some((term) => missing.includes(term)));
  const counts = new Map<string, number>();
  for (const { name } of best) counts.set(name, (counts.get(name) ?? 0) + 1);
  return {
    of: [...counts].slice(0, MAX_SHOWN).map(([name, count]) => ({ name, count })),
    words: [...new Set(best.flatMap((one) => one.terms.map(({ word }) => word)))],
  };
}

/** Entities that are no more, with a name that the query has, or that has the query. */
function deletedEntities(rows: Rows, terms: readonly Term[], query: string): { name: string; at: string }[] {
  const asked = new Set(terms.flatMap(({ word }) => wordsIn(word)));
  const text = fold(query.trim());
  const isAsked = (name: string): boolean => {
    const words = wordsIn(fold(name));
    return fold(name).includes(text) || (words.length > 0 && words.every((word) => asked.has(word)));
  };
  const ended = new Map<string, number>();
  for (const { name, ended: call } of rows.entities.lastEnded(MAX_ENDED)) if (!ended.has(name) && isAsked(name)) ended.set(name, call);
  rows.prepare({ names: ended.keys(), calls: ended.values() });
  return [...ended]
    .filter(([name, call]) => rows.entities.named(name) === undefined && rows.calls.mergedInto(call, name) === undefined)
    .slice(0, MAX_SHOWN)
    .map(([name, call]) => ({ name, at: new Date(rows.calls.find(call)?.at ?? 0).toISOString().slice(0, 10) }));
}
