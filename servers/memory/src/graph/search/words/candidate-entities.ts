// Finds the entities that a search by words looks at. The look-ups are bounded: what is common in a large memory says little.
import type { Rows } from "../../rows/rows.ts";
import type { Term } from "./query-terms.ts";

/** A piece in more texts of one kind than this is common: only its newest texts are candidates. */
const COMMON = 150;
/** A word with a lower estimate may be rare: the estimates are upper ones. */
const CERTAINLY_COMMON = 8 * COMMON;
const NEWEST_OF_COMMON = 40;
/** Texts of a common word in which entities with all words are looked for. */
const MAX_COMMON_TEXTS = 3000;

interface Found {
  readonly ids: ReadonlySet<number>;
  readonly isCommon: boolean;
}

/**
 * Ids of entities that may have one of the terms. Candidates come from rare terms. Short words, and common terms beside a rare one, only add to
 * the rank. If all are common: entities with several of them in one text.
 */
export function candidateEntities(rows: Rows, terms: readonly Term[]): Set<number> {
  const long = terms.filter(({ word, alternatives }) => alternatives.length > 0 || !/^[\u0020-\u007e]{1,2}$/.test(word));
  const wanted = long.length > 0 ? long : terms;
  // Words that are certainly common are looked up only if the others find nothing.
  const possiblyRare = wanted.filter(({ word }) => rows.texts.estimate(word) < CERTAINLY_COMMON || rows.texts.mayBeRare(word));
  const lookups = possiblyRare.map((term) => entitiesWith(rows, term));
  const rare = lookups.filter(({ isCommon }) => !isCommon);
  if (rare.length > 0) return new Set(rare.flatMap(({ ids }) => [...ids]));

  lookups.push(...wanted.filter((term) => !possiblyRare.includes(term)).map((term) => entitiesWith(rows, term)));
  const found = entitiesWithAll(rows, wanted);
  if (long.length > 1) {
    const pieces = long.map(({ word, roots }) => (roots.length === 1 ? (roots[0] ?? word) : word));
    for (const id of rows.texts.firstIdsWithAll("name", pieces, COMMON)) found.add(id);
    for (const id of rows.texts.ownersOf(rows.texts.firstIdsWithAll("observation", pieces, COMMON))) found.add(id);
  }
  for (const { ids } of lookups) for (const id of first(ids, NEWEST_OF_COMMON)) found.add(id);
  if (found.size > 0 || long.length === 0) return found;

  const short = terms.filter((term) => !long.includes(term));
  return new Set(short.flatMap((term) => [...first(entitiesWith(rows, term).ids, NEWEST_OF_COMMON)]));
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
function entitiesWith(
  rows: Rows,
  { word, roots, alternatives }: Term,
  limits: Limits = { most: COMMON + 1, newest: NEWEST_OF_COMMON },
): Found {
  const asIs = entitiesWithPiece(rows, word, limits);
  if (asIs.isCommon) return asIs;
  const others = [...roots, ...alternatives.map(({ text }) => text)].filter((piece) => piece !== word);
  const lookups = [asIs, ...others.map((piece) => entitiesWithPiece(rows, piece, limits))].filter(({ ids }) => ids.size > 0);
  return { ids: new Set(lookups.flatMap(({ ids }) => [...ids])), isCommon: lookups.every(({ isCommon }) => isCommon) };
}

function entitiesWithPiece(rows: Rows, piece: string, { most, newest }: Limits): Found {
  const names = rows.texts.firstIds("name", piece, most);
  const observations = rows.texts.firstIds("observation", piece, most);
  const ids = new Set(names);
  let isCommon = names.length === most || observations.length === most;
  for (const type of rows.texts.firstIds("type", piece, most)) {
    const ofType = rows.texts.entityIdsOfType(type, most);
    isCommon ||= ofType.length === most;
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
