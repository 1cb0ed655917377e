// Hits that contain words of the query, in any place: entities with all words before entities with some of them. Ranked by the number of
// words, then by place (name above type above observation), then newest first.
import type { EntityRow } from "../rows/entities.ts";
import type { Rows } from "../rows/rows.ts";
import { fold } from "../text-index/normalization.ts";
import { ALL_WORDS_SCORE, TIERS, type Hit, type HitPosition, type SearchQuery } from "./hit.ts";

/** A word in more texts of one kind than this is common: it says little, and only its newest texts are candidates. */
const COMMON = 150;
/** A word with a lower estimate may be rare: the estimates are upper ones. */
const CERTAINLY_COMMON = 8 * COMMON;
const NEWEST_OF_COMMON = 40;
const MAX_WORDS = 12;
/** Observations of one entity that are ranked, the newest. */
const MAX_OBSERVATIONS = 1000;
/** Texts of a common word in which entities with all words are looked for. */
const MAX_COMMON_TEXTS = 3000;

const WEIGHTS = { name: 9, type: 4, observation: 1 } as const;
/** Ranks count the words first, then their weights, which are below this. */
const WORD_RANK = 1000;

/**
 * The words of a folded query, without punctuation around them. A query of one word has none: the search for the whole query has found
 * it already, except where there are blanks around it.
 */
export function splitWords(query: string): string[] {
  const words = query.split(/[\s\u3000]+/u).filter((word) => word !== "");
  return words.length < 2 ? words.filter((word) => word !== query) : [...new Set(words.map(withoutPunctuation))].slice(0, MAX_WORDS);
}

const withoutPunctuation = (word: string): string =>
  word.replace(/^["'([{¿¡“„«]+(?=[\p{L}\p{N}])/u, "").replace(/(?<=[\p{L}\p{N}])["')\]}?!.,;:”“»]+$/u, "");

interface Ranked {
  readonly entity: EntityRow;
  /** How many of the words the entity has. */
  readonly found: number;
  readonly rank: number;
  readonly observation: string | undefined;
}

/** Hits after a position, in order, without entities that contain the whole query. */
export function wordHits(rows: Rows, { text, allows }: SearchQuery, words: readonly string[], after: HitPosition | undefined): Hit[] {
  const ranked: Ranked[] = [];
  const ids = candidateEntities(rows, words);
  rows.prepare({ ids, observationsOf: ids });
  for (const id of ids) {
    const entity = rows.entities.byId(id);
    if (entity === undefined || !allows(entity)) continue;
    const one = rank(rows, entity, words, text);
    if (one !== undefined) ranked.push(one);
  }
  ranked.sort((a, b) => b.rank - a.rank || b.entity.id - a.entity.id);
  const [tier, lastRank = 0, lastEntity = 0] = after ?? [];
  return ranked
    .filter(({ rank, entity }) => tier !== TIERS.words || rank < lastRank || (rank === lastRank && entity.id < lastEntity))
    .map(({ entity, found, rank, observation }) => ({
      entity,
      position: [TIERS.words, rank, entity.id],
      score: found === words.length ? ALL_WORDS_SCORE : Math.round((50 * found) / words.length) / 100,
      ...(observation !== undefined && { observation }),
    }));
}

/**
 * Ids of entities that have one of the words. Candidates come from rare words. Short words, and common words beside a rare one, only add to
 * the rank. If all are common: entities with several of them in one text.
 */
function candidateEntities(rows: Rows, words: readonly string[]): Set<number> {
  const long = words.filter((word) => !/^[\u0020-\u007e]{1,2}$/.test(word));
  const wanted = long.length > 0 ? long : words;
  // Words that are certainly common are looked up only if the others find nothing.
  const possiblyRare = wanted.filter((word) => rows.texts.estimate(word) < CERTAINLY_COMMON || rows.texts.mayBeRare(word));
  const lookups = possiblyRare.map((word) => entitiesWith(rows, word));
  const rare = lookups.filter(({ isCommon, ids }) => !isCommon && ids.size > 0);
  if (rare.length > 0) return new Set(rare.flatMap(({ ids }) => [...ids]));

  lookups.push(...wanted.filter((word) => !possiblyRare.includes(word)).map((word) => entitiesWith(rows, word)));
  const found = entitiesWithAll(rows, wanted);
  if (long.length > 1) {
    for (const id of rows.texts.firstIdsWithAll("name", long, COMMON)) found.add(id);
    for (const id of rows.texts.ownersOf(rows.texts.firstIdsWithAll("observation", long, COMMON))) found.add(id);
  }
  for (const { ids } of lookups) for (const id of first(ids, NEWEST_OF_COMMON)) found.add(id);
  if (found.size > 0 || long.length === 0) return found;

  const short = words.filter((word) => !long.includes(word));
  return new Set(short.flatMap((word) => [...first(entitiesWith(rows, word).ids, NEWEST_OF_COMMON)]));
}

/** The newest entities that have all words, in whatever texts. */
function entitiesWithAll(rows: Rows, words: readonly string[]): Set<number> {
  if (words.length < 2) return new Set();
  let withAllSoFar: number[] | undefined;
  for (const word of words.toSorted((a, b) => rows.texts.estimate(a) - rows.texts.estimate(b))) {
    const { ids } = entitiesWith(rows, word, { most: MAX_COMMON_TEXTS, newest: MAX_COMMON_TEXTS });
    withAllSoFar = withAllSoFar === undefined ? [...ids] : withAllSoFar.filter((id) => ids.has(id));
    if (withAllSoFar.length === 0) break;
  }
  return new Set(withAllSoFar?.sort((a, b) => b - a).slice(0, COMMON));
}

/** Entities with a word in their name, an observation or their type. A word in `most` texts of a kind is common: its `newest` observations count. */
function entitiesWith(
  rows: Rows,
  word: string,
  { most = COMMON + 1, newest = NEWEST_OF_COMMON }: { most?: number; newest?: number } = {},
): { ids: Set<number>; isCommon: boolean } {
  const names = rows.texts.firstIds("name", word, most);
  const observations = rows.texts.firstIds("observation", word, most);
  const ids = new Set(names);
  let isCommon = names.length === most || observations.length === most;
  for (const type of rows.texts.firstIds("type", word, most)) {
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

/** Undefined where the entity has none of the words, or contains the whole query. */
function rank(rows: Rows, entity: EntityRow, words: readonly string[], query: string): Ranked | undefined {
  const name = fold(entity.name);
  const type = fold(entity.type);
  if (name.includes(query) || type.includes(query)) return undefined;
  const missing = new Set(words);
  let weight = 0;
  for (const word of words) {
    const place = name.includes(word) ? "name" : type.includes(word) ? "type" : undefined;
    if (place === undefined) continue;
    weight += WEIGHTS[place];
    missing.delete(word);
  }
  let best: { text: string; words: number } | undefined;
  for (const { text } of rows.observations.of(entity.id).slice(-MAX_OBSERVATIONS).reverse()) {
    const folded = fold(text);
    if (folded.includes(query)) return undefined;
    const contained = words.filter((word) => folded.includes(word));
    for (const word of contained) if (missing.delete(word)) weight += WEIGHTS.observation;
    if (contained.length > (best?.words ?? 0)) best = { text, words: contained.length };
  }
  const found = words.length - missing.size;
  return found === 0 ? undefined : { entity, found, rank: found * WORD_RANK + weight, observation: best?.text };
}
