// Finds the entities that a search by words looks at. The look-ups are bounded: what is common in a large memory says little.
import type { Rows } from "../../rows/rows.ts";
import type { TextKind } from "../../rows/texts.ts";
import { phraseOf } from "./folded-text.ts";
import type { Alternative, Term } from "./term.ts";

/** A piece in more texts of one kind than this is common: only its newest texts are candidates. */
const COMMON = 150;
/** A word with a lower estimate may be rare: the estimates are upper ones. */
const CERTAINLY_COMMON = 8 * COMMON;
const NEWEST_OF_COMMON = 40;
/** Texts of a common word in which entities with all words are looked for. */
const MAX_COMMON_TEXTS = 3000;
/** Shorter ones are in no index. */
const MIN_PIECE = 3;

/** Synonyms of a language are many, and most of them are in no text. */
const isFromLanguage = (kind: Alternative["kind"]): boolean => kind === "synonym" || kind === "broader";

interface Found {
  readonly ids: ReadonlySet<number>;
  readonly isCommon: boolean;
}

export interface Candidates {
  readonly ids: ReadonlySet<number>;
  /** Terms that other entities may have too. All entities with one of the other terms are candidates. */
  readonly common: ReadonlySet<Term>;
}

/**
 * Entities that may have one of the terms. Candidates come from rare terms. Short words, and common terms beside a rare one, only add to
 * the rank. If all are common: entities with several of them in one text.
 */
export function candidateEntities(rows: Rows, terms: readonly Term[]): Candidates {
  const long = terms.filter(
    ({ word, alternatives }) => alternatives.some(({ kind }) => !isFromLanguage(kind)) || !/^[\u0020-\u007e]{1,2}$/.test(word),
  );
  const wanted = long.length > 0 ? long : terms;
  // Words that are certainly common are looked up only if the others find nothing.
  const possiblyRare = wanted.filter(({ word }) => rows.texts.estimate(word) < CERTAINLY_COMMON || rows.texts.mayBeRare(word));
  const lookups = possiblyRare.map((term) => entitiesWith(rows, term));
  const rare = lookups.filter(({ isCommon }) => !isCommon);
  const common = new Set(terms.filter((term) => lookups[possiblyRare.indexOf(term)]?.isCommon !== false));
  if (rare.length > 0) return { ids: new Set(rare.flatMap(({ ids }) => [...ids])), common };

  lookups.push(...wanted.filter((term) => !possiblyRare.includes(term)).map((term) => entitiesWith(rows, term)));
  const found = entitiesWithAll(rows, wanted);
  if (long.length > 1) {
    const pieces = long.map(({ word, roots }) => (roots.length === 1 ? (roots[0] ?? word) : word));
    for (const id of rows.texts.firstIdsWithAll("name", pieces, COMMON)) found.add(id);
    for (const id of rows.texts.ownersOf(rows.texts.firstIdsWithAll("observation", pieces, COMMON))) found.add(id);
  }
  for (const { ids } of lookups) for (const id of first(ids, NEWEST_OF_COMMON)) found.add(id);
  if (found.size > 0 || long.length === 0) return { ids: found, common };

  const short = terms.filter((term) => !long.includes(term));
  return { ids: new Set(short.flatMap((term) => [...first(entitiesWith(rows, term).ids, NEWEST_OF_COMMON)])), common };
}

/** The newest entities that have all terms, in whatever texts. */
function entitiesWithAll(rows: Rows, terms: readonly Term[]): Set<number> {
  if (terms.length < 2) return new Set();
  let withAllSoFar: number[] | undefined;
  for (const term of terms.toSorted((a, b) => rows.texts.estimate(a.word) - rows.texts.estimate(b.word))) {
    const { ids } = entitiesWith(rows, term, { most: MAX_COMMON_TEXTS, newest: MAX_COMMON_TEXTS });
    withAllSoFar = withAllSoFar === undefined ? [...ids] : withAllSoFar.filter((id) => ids.has(id));
    if (withAllSoFar.length === 0) break;
  }
  return new Set(withAllSoFar?.sort((a, b) => b - a).slice(0, COMMON));
}

interface Limits {
  /** A piece in so many texts of a kind is common. */
  readonly most: number;
  /** Observations of a common piece that count. */
  readonly newest: number;
}

/**
 * Entities with a term in their name, an observation or their type. A term is common if the word is, or all of its forms that occur, which is
 * true of a term that does not occur at all.
 */
function entitiesWith(rows: Rows, term: Term, limits: Limits = { most: COMMON + 1, newest: NEWEST_OF_COMMON }): Found {
  const { word, roots, alternatives } = term;
  const asIs = entitiesWithPiece(rows, word, limits);
  if (asIs.isCommon) return asIs;
  const names = alternatives.filter(({ kind }) => !isFromLanguage(kind)).map(({ text }) => text);
  const others = [...roots, ...names].filter((piece) => piece !== word);
  const lookups = [asIs, ...others.map((piece) => entitiesWithPiece(rows, piece, limits)), entitiesWithSynonyms(rows, term, limits)].filter(
    ({ ids }) => ids.size > 0,
  );
  return { ids: new Set(lookups.flatMap(({ ids }) => [...ids])), isCommon: lookups.every(({ isCommon }) => isCommon) };
}

const entitiesWithPiece = (rows: Rows, piece: string, limits: Limits): Found =>
  entitiesOf(rows, rows.texts.firstIdsWithAny([piece], limits.most), limits);

/** With other words for the term: all of them in one look-up, because they are many. */
function entitiesWithSynonyms(rows: Rows, { alternatives, language }: Term, limits: Limits): Found {
  const roots = alternatives.filter(({ kind }) => isFromLanguage(kind)).flatMap(({ text }) => phraseOf(text, language).roots);
  const pieces = [...new Set(roots)].filter(({ length }) => length >= MIN_PIECE);
  if (pieces.length === 0) return { ids: new Set(), isCommon: false };
  return entitiesOf(rows, rows.texts.firstIdsWithAny(pieces, limits.most), limits);
}

/** Of texts that hold a piece, as many of each kind as are looked up. */
function entitiesOf(
  rows: Rows,
  { name: names, type: types, observation: observations }: Readonly<Record<TextKind, readonly number[]>>,
  { most, newest }: Limits,
): Found {
  const ids = new Set(names);
  let isCommon = names.length >= most || observations.length >= most;
  for (const type of types) {
    if (isCommon && ids.size > most) break;
    const ofType = rows.texts.entityIdsOfType(type, most);
    isCommon ||= ofType.length >= most;
    for (const id of ofType) ids.add(id);
  }
  for (const id of rows.texts.ownersOf(isCommon ? observations.slice(0, newest) : observations)) ids.add(id);
  return { ids, isCommon };
}

function* first(ids: Iterable<number>, most: number): Generator<number> {
  let left = most;
  for (const id of ids) {
    yield id;
    if (--left === 0) return;
  }
}
