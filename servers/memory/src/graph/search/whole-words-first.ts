// The order of hits that contain a query of one word: those that have it as a word of their own ("green tea") come before those that have it within
// other words only ("teaches"). At most 200 of the latter are passed over, so that a page costs what it shows also where a word is within every text;
// behind them hits come as they are found.
import type { Rows } from "../rows/rows.ts";
import { TIERS, type Hit, type HitPosition, type SearchQuery } from "./hit.ts";
import { substringHits } from "./substring-hits.ts";
import { FoldedText, wordsIn } from "./words/folded-text.ts";
import { termsOf, type Term } from "./words/query-terms.ts";

const MAX_PASSED_OVER = 200;
/** Of an entity, the newest ones, where neither its name nor the text that was found has the word. */
const MAX_OBSERVATIONS = 200;
const WITHIN_SCORE = 0.65;

/** What follows the tier and the id of a position, where hits were passed over; `passedOver` is followed by the last hit before them. */
const STATES = { somePassedOver: 1, passedOver: 2, asFound: 3 } as const;

/** Hits after a position, in order. */
export function* wholeWordsFirst(rows: Rows, query: SearchQuery, after: HitPosition | undefined): Generator<Hit> {
  const [term] = termsOf(query.text);
  const [, , state, ...end] = after ?? [];
  const isWord = term?.word === query.text && wordsIn(query.text)[0] === query.text;
  if (!isWord || state === STATES.asFound) return yield* withState(substringHits(rows, query, after), state);
  if (state === STATES.passedOver) return yield* passedOver(sorted(rows, substringHits(rows, query, after), term), end);
  // What an earlier page has passed over is found again.
  const hits = sorted(rows, substringHits(rows, query, state === undefined ? after : undefined), term);
  const isShown = ({ position }: Hit): boolean => state !== undefined && after !== undefined && !isBehind(position, after);
  const passed: Hit[] = [];
  for (const { hit, isWithin } of hits) {
    if (!isWithin && !isShown(hit)) yield passed.length > 0 ? inState(hit, STATES.somePassedOver) : hit;
    if (!isWithin || passed.push(hit) < MAX_PASSED_OVER) continue;
    yield* passed.map((one) => inState(one, STATES.passedOver, hit.position));
    for (const { hit: other } of hits) if (!isShown(other)) yield inState(other, STATES.asFound);
    return;
  }
  yield* passed.map((hit) => inState(hit, STATES.passedOver, [Number.MAX_SAFE_INTEGER, 0]));
}

/** The rest of those that were passed over before `end`, and all behind it. */
function* passedOver(hits: Iterable<SortedHit>, end: readonly number[]): Generator<Hit> {
  for (const { hit, isWithin } of hits)
    if (isBehind(hit.position, end)) yield inState(hit, STATES.asFound);
    else if (isWithin) yield inState(hit, STATES.passedOver, end);
}

function* withState(hits: Iterable<Hit>, state: number | undefined): Generator<Hit> {
  for (const hit of hits) yield state === undefined ? hit : inState(hit, state);
}

const inState = (hit: Hit, state: number, end: readonly number[] = []): Hit => ({
  ...hit,
  position: [...hit.position, state, ...end.slice(0, 2)] as unknown as HitPosition, // begins with a tier
  score: state === STATES.passedOver ? WITHIN_SCORE : hit.score,
});

/** In the order in which hits are found: by tiers, newest first in each. */
function isBehind([tier, id = 0]: readonly number[], [otherTier = 0, otherId = 0]: readonly number[]): boolean {
  return tier === otherTier ? id < otherId : (tier ?? 0) > otherTier;
}

interface SortedHit {
  readonly hit: Hit;
  /** It has the word within other words only. */
  readonly isWithin: boolean;
}

function* sorted(rows: Rows, found: Iterable<Hit>, term: Term): Generator<SortedHit> {
  const own: Term = { ...term, alternatives: [] };
  const isWhole = (text: string): boolean => (new FoldedText(text).formOf(own)?.kind ?? "part") !== "part";
  const hits = rows.inBatches(found, (batch) => ({ observationsOf: batch.map(({ entity }) => entity.id) }));
  for (const hit of hits) {
    if (hit.position[0] === TIERS.formerName) {
      yield { hit, isWithin: false };
      continue;
    }
    const { id, name, type } = hit.entity;
    const near = [hit.observation ?? "", name, type];
    const isWithin =
      !near.some(isWhole) &&
      !rows.observations
        .of(id)
        .slice(-MAX_OBSERVATIONS)
        .some(({ text }) => isWhole(text));
    yield { hit, isWithin };
  }
}
