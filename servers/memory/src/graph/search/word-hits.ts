// What the words of a query find where the query as it stands does not: entities that have all of them come before entities that
// have some; then counts how many, and where (a name above a type above an observation), then what is newer.
import { idsUpTo, idsWithAll } from "./candidates.ts";
import { fold } from "../text-index/normalization.ts";
import { TIERS, type Hit, type Place, type Wanted } from "./substring-hits.ts";
import { estimate, isPerhapsRare } from "./trigram-frequency.ts";
import { entityOf, observationsOf, type EntityRow } from "../store/rows.ts";
import type { Store } from "../store/store.ts";

/** A word that more texts of one kind have is common: it says little, and only the newest are looked at. */
const COMMON = 150;
const NEWEST = 40;
const MOST_WORDS = 12;
/** Observations of one entity that are looked at, the newest. */
const MOST_OBSERVATIONS = 1000;

const WEIGHTS = { name: 9, type: 4, observation: 1 } as const;

/** The words of a folded query. A single word keeps its marks; without blanks around it is looked for already, as the whole query. */
export function describeError(query: string): string[] {
  const words = query.split(/[\s\u3000]+/u).filter((word) => word !== "");
  return words.length < 2 ? words.filter((word) => word !== query) : [...new Set(words.map(bare))].slice(0, MOST_WORDS);
}

/** Without the marks of a sentence around it. */
const bare = (word: string): string =>
  word.replace(/^["'([{¿¡“„«]+(?=[\p{L}\p{N}])/u, "").replace(/(?<=[\p{L}\p{N}])["')\]}?!.,;:”“»]+$/u, "");

interface Judged {
  readonly entity: EntityRow;
  readonly found: number;
  readonly rank: number;
  readonly observation: string | undefined;
}

/** Behind a place, in order; without those that hold the whole query as it stands. */
export function wordHits(store: Store, { query, allows }: Wanted, words: readonly string[], after: Place | undefined): Hit[] {
  const judged: Judged[] = [];
  for (const id of candidates(store, words)) {
    const entity = entityOf(store, id);
    if (entity === undefined || !allows(entity)) continue;
    const one = judge(store, entity, words, query);
    if (one !== undefined) judged.push(one);
  }
  judged.sort((a, b) => b.rank - a.rank || b.entity.id - a.entity.id);
  const [tier, rank = 0, id = 0] = after ?? [];
  return judged
    .filter((one) => tier !== TIERS.words || one.rank < rank || (one.rank === rank && one.entity.id < id))
    .map(({ entity, found, rank, observation }) => ({
      entity,
      place: [TIERS.words, rank, entity.id],
      score: found === words.length ? 0.6 : Math.round((50 * found) / words.length) / 100,
      ...(observation !== undefined && { observation }),
    }));
}

/**
 * Entities that have one of the words. Those of one or two letters say too little, and so do common ones beside one that is not:
 * they count where another has found, so whatever has all words is among these. Where all are common, those that have several in
 * one text come first.
 */
function candidates(store: Store, words: readonly string[]): Set<number> {
  const telling = words.filter((word) => !/^[\u0020-\u007e]{1,2}$/.test(word));
  const wanted = telling.length > 0 ? telling : words;
  // Those that are surely common are only asked for where the others find nothing.
  const likely = wanted.filter((word) => estimate(store, word) < 8 * COMMON || isPerhapsRare(store, word));
  const some = likely.map((word) => entitiesWith(store, word, COMMON + 1));
  const rare = some.filter(({ isCommon, ids }) => !isCommon && ids.size > 0);
  if (rare.length > 0) return new Set(rare.flatMap(({ ids }) => [...ids]));
  const each = [...some, ...wanted.filter((word) => !likely.includes(word)).map((word) => entitiesWith(store, word, COMMON + 1))];
  const found = withAll(store, wanted);
  if (telling.length > 1) {
    for (const id of take(idsWithAll(store, "name", telling), COMMON)) found.add(id);
    for (const id of ownersOf(store, [...take(idsWithAll(store, "observation", telling), COMMON)])) found.add(id);
  }
  for (const { ids } of each) for (const id of take(ids, NEWEST)) found.add(id);
  // Then the short ones are all that is left.
  if (found.size === 0 && telling.length > 0)
    for (const word of words.filter((one) => !telling.includes(one)))
      for (const id of take(entitiesWith(store, word, COMMON + 1).ids, NEWEST)) found.add(id);
  return found;
}

/** Texts of each common word that are looked at for entities that have all words, in whatever places. */
const LOOKED_AT = 3000;

/** The newest of those entities. */
function withAll(store: Store, words: readonly string[]): Set<number> {
  if (words.length < 2) return new Set();
  let common: number[] | undefined;
  for (const word of words.toSorted((a, b) => estimate(store, a) - estimate(store, b))) {
    const { ids } = entitiesWith(store, word, LOOKED_AT, LOOKED_AT);
    common = common === undefined ? [...ids] : common.filter((id) => ids.has(id));
    if (common.length === 0) break;
  }
  return new Set(common?.sort((a, b) => b - a).slice(0, COMMON));
}

function entitiesWith(store: Store, word: string, most: number, newest = NEWEST): { ids: Set<number>; isCommon: boolean } {
  const names = idsUpTo(store, "name", word, most);
  const texts = idsUpTo(store, "observation", word, most);
  const ids = new Set(names);
  let isCommon = names.length === most || texts.length === most;
  for (const type of idsUpTo(store, "type", word, most)) {
    const sql = "SELECT id FROM entity WHERE type = ? AND ended IS NULL ORDER BY id DESC LIMIT ?";
    const members = store.all<{ id: number }>(sql, type, most);
    isCommon ||= members.length === most;
    for (const { id } of members) ids.add(id);
  }
  for (const id of ownersOf(store, isCommon ? texts.slice(0, newest) : texts)) ids.add(id);
  return { ids, isCommon };
}

/** The entities of observations. */
const ownersOf = (store: Store, observations: readonly number[]): number[] =>
  store
    .all<{ entity: number }>(
      "SELECT DISTINCT entity FROM observation WHERE id IN (SELECT value FROM json_each(?))",
      JSON.stringify(observations),
    )
    .map(({ entity }) => entity);

function* take(ids: Iterable<number>, most: number): Generator<number> {
  let left = most;
  for (const id of ids) {
    yield id;
    if (--left === 0) return;
  }
}

function judge(store: Store, entity: EntityRow, words: readonly string[], query: string): Judged | undefined {
  const name = fold(entity.name);
  const type = fold(entity.type);
  if (name.includes(query) || type.includes(query)) return undefined;
  const missing = new Set(words);
  let weight = 0;
  for (const word of words) {
    const where = name.includes(word) ? WEIGHTS.name : type.includes(word) ? WEIGHTS.type : 0;
    if (where === 0) continue;
    weight += where;
    missing.delete(word);
  }
  let best: string | undefined;
  let most = 0;
  for (const { text } of observationsOf(store, entity.id).slice(-MOST_OBSERVATIONS).reverse()) {
    const folded = fold(text);
    if (folded.includes(query)) return undefined;
    const held = words.filter((word) => folded.includes(word));
    for (const word of held) if (missing.delete(word)) weight += WEIGHTS.observation;
    if (held.length > most) [best, most] = [text, held.length];
  }
  const found = words.length - missing.size;
  return found === 0 ? undefined : { entity, found, rank: found * 1000 + weight, observation: best };
}
