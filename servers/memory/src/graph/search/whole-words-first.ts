// The order of hits that contain a query of one word: those that have it as a word of their own ("green tea") come before those that have it within
// other words only ("teaches"). At most 200 of the latter are passed over, so that a page costs no more than it shows, even where every text contains the word;
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
/** Behind all hits that contain the query. */
const END: HitPosition = [TIERS.ranked, 0];

/** Hits after a position, in order. */
export function* wholeWordsFirst(rows: Rows, query: SearchQuery, after: HitPosition | undefined): Generator<Hit> {
  const [term] = termsOf(query.text);
  if (term?.word !== query.text || wordsIn(query.text)[0] !== query.text) return yield* substringHits(rows, query, after);
  const word: Term = { ...term, alternatives: [] };
  if (after?.[0] === TIERS.passedOver) {
    const [, endTier = 0, endId = 0, tier = 0, id = 0] = after;
    return yield* passedOver(rows, query, word, { after: [tier, id], end: [endTier, endId] });
  }
  let [, , count = 0] = after ?? []; // those that earlier pages have passed over
  let end = END;
  for (const hit of withObservations(rows, substringHits(rows, query, after))) {
    if (!isWithin(rows, hit, word)) yield { ...hit, position: [...hit.position, count] };
    else if (++count === MAX_PASSED_OVER) {
      end = hit.position;
      break;
    }
  }
  if (count > 0) yield* passedOver(rows, query, word, { end });
}

/** Those up to `end` that were passed over, then all hits behind it. */
function* passedOver(rows: Rows, query: SearchQuery, word: Term, range: { after?: HitPosition; end: HitPosition }): Generator<Hit> {
  const { after, end } = range;
  for (const hit of withObservations(rows, substringHits(rows, query, after))) {
    const position: HitPosition = [TIERS.passedOver, ...end, ...hit.position];
    if (isBehind(hit.position, end)) yield { ...hit, position };
    else if (isWithin(rows, hit, word)) yield { ...hit, position, score: WITHIN_SCORE };
  }
}

/** In the order in which hits are found: by tiers, newest first in each. */
const isBehind = ([tier, id = 0]: HitPosition, [otherTier, otherId = 0]: HitPosition): boolean =>
  tier === otherTier ? id < otherId : tier > otherTier;

const withObservations = (rows: Rows, hits: Iterable<Hit>): Iterable<Hit> =>
  rows.inBatches(hits, (batch) => ({ observationsOf: batch.map(({ entity }) => entity.id) }));

/** Whether a hit has the word within other words only. */
function isWithin(rows: Rows, { position, entity, observation = "" }: Hit, word: Term): boolean {
  if (position[0] === TIERS.formerName) return false;
  const isWhole = (text: string): boolean => (new FoldedText(text).formOf(word)?.kind ?? "part") !== "part";
  if ([observation, entity.name, entity.type].some(isWhole)) return false;
  const observations = rows.observations.of(entity.id).slice(-MAX_OBSERVATIONS);
  return !observations.some(({ text }) => isWhole(text));
}
