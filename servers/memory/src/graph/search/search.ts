// The entrance to search: finds entities and their facts for a query, best first, in pages.
import { GraphError } from "../errors.ts";
import { openCursor, sealCursor } from "../read/cursors.ts";
import { pastFacts } from "../read/open-nodes.ts";
import type { Detail } from "../read/page-builder.ts";
import type { EntityRow } from "../rows/entities.ts";
import type { Rows, Wanted } from "../rows/rows.ts";
import { rowsWithin, type RangeView } from "../rows/time-views.ts";
import { normalizeTags, tagsOf } from "../tags.ts";
import { fold } from "../text-index/normalization.ts";
import { DEFAULT_SEARCH_LIMIT, TIERS, type Hit, type HitPosition, type SearchQuery } from "./hit.ts";
import { inspectHits, type Inspection } from "./page/inspection.ts";
import { buildPage, type SearchPage } from "./page/search-page.ts";
import { rankedHits, type RankingOptions } from "./ranked-hits.ts";
import { isUnknown, pastWords, type PastWords } from "./nothing-found.ts";
import type { Term } from "./words/term.ts";
import { wholeWordsFirst } from "./whole-words-first.ts";

export type { Inspection } from "./page/inspection.ts";
export type { Match, SearchPage } from "./page/search-page.ts";

const MAX_QUERY_LENGTH = 10_000;
/** Hits after the page that an inspection shows. */
const FURTHER_HITS = 25;
/** Hits whose past facts are counted. */
const MAX_WITH_PAST = 3;
const NOTHING_PAST: PastWords = { of: [], words: [] };

export interface SearchOptions extends RankingOptions {
  readonly query: string;
  /** Most hits on a page. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly entityTypes?: readonly string[] | undefined;
  /** Only facts of this time or later: when they hold or were stated, else when they were recorded. */
  readonly since?: string | undefined;
  /** Only facts from before this time. */
  readonly before?: string | undefined;
  /** Only entities with all of these tags. */
  readonly tags?: readonly string[] | undefined;
  readonly detail: Detail;
  /** Entities up to this many relations away from the hits are shown too. Default 0. */
  readonly depth?: number | undefined;
  /** Of the text. */
  readonly maxBytes: number;
}

export function searchNodes(stored: Rows, options: SearchOptions): SearchPage {
  const { query, limit = DEFAULT_SEARCH_LIMIT, cursor, entityTypes = [], since, before, tags = [], detail, depth = 0 } = options;
  checkQuery(query);
  const cursorQuery = ["search_nodes", query, entityTypes, since ?? null, before ?? null, tags, detail, depth];
  return stored.read(() => {
    const view = rowsWithin(stored, options);
    const { rows } = view;
    const after = cursor === undefined ? undefined : (openCursor(rows, cursorQuery, cursor) as unknown as HitPosition); // sealed below
    const text = fold(query);
    const hits = firstHits(view, text, { ...options, after }, limit + 1);
    const { page: content, listed } = buildPage(rows, hits.slice(0, limit), text, options);
    const lacking = cursor === undefined ? lackedByAll(hits.slice(0, listed)) : [];
    const missing = lacking.filter((term) => isUnknown(rows, term));
    const inPast = missing.length === 0 ? NOTHING_PAST : pastWords(stored, missing, missing);
    const unknownWords = missing.map(({ word }) => word).filter((word) => !inPast.words.includes(word));
    const lackingWords = lacking.map(({ word }) => word).filter((word) => !missing.some((term) => term.word === word));
    const past = pastFacts(
      stored,
      hits.slice(0, Math.min(listed, MAX_WITH_PAST)).map(({ entity }) => entity),
    );
    const page = {
      ...content,
      ...(unknownWords.length > 0 && { unknownWords }),
      ...(lackingWords.length > 0 && { lackingWords }),
      ...(inPast.of.length > 0 && { pastWords: inPast }),
      ...(past.length > 0 && { past }),
      ...(view.ofOtherTimes.size > 0 && { ofOtherTimes: view.ofOtherTimes.size }),
    };
    const last = hits[listed - 1];
    if (listed < hits.length && last !== undefined)
      return { ...page, truncated: true, nextCursor: sealCursor(rows, cursorQuery, last.position) };
    return cursor === undefined ? { ...page, total: listed } : page;
  });
}

/** Terms that none of the hits has. */
function lackedByAll([first, ...others]: readonly Hit[]): readonly Term[] {
  return (first?.lacks ?? []).filter(({ word }) => others.every(({ lacks }) => lacks.some((term) => term.word === word)));
}

/** Why the first page of a search has its order, and what it leaves out. */
export function inspectSearch(stored: Rows, options: SearchOptions): Inspection {
  const { query, limit = DEFAULT_SEARCH_LIMIT } = options;
  checkQuery(query);
  return stored.read(() => {
    const view = rowsWithin(stored, options);
    const text = fold(query);
    const hits = firstHits(view, text, options, limit + FURTHER_HITS);
    const { page, listed } = buildPage(view.rows, hits.slice(0, limit), text, options);
    return inspectHits(view.rows, hits, { text, page, listed, limit, areAll: hits.length < limit + FURTHER_HITS });
  });
}

function checkQuery(query: string): void {
  if (query.length > MAX_QUERY_LENGTH)
    throw new GraphError(
      "invalid",
      `Query too long: ${query.length} characters, at most ${MAX_QUERY_LENGTH} are allowed. Search for a few words.`,
    );
}

const toWanted = (hits: readonly Hit[]): Wanted => ({ observationsOf: hits.map(({ entity }) => entity.id) });

function firstHits(
  view: RangeView,
  text: string,
  { after, ...options }: SearchOptions & { after?: HitPosition | undefined },
  most: number,
): Hit[] {
  const found: Hit[] = [];
  const hits = findHits(view.rows, { text, allows: filterBy(view, options) }, after, options);
  for (const hit of view.rows.inBatches(hits, toWanted)) if (found.push(hit) === most) break;
  return found;
}

/** All hits after a position, best first. */
function* findHits(rows: Rows, query: SearchQuery, after: HitPosition | undefined, options: RankingOptions): Generator<Hit> {
  if (after === undefined || after[0] < TIERS.ranked) yield* wholeWordsFirst(rows, query, after);
  yield* rankedHits(rows, query, after, options);
}

function filterBy(view: RangeView, { entityTypes = [], tags = [] }: SearchOptions): (entity: EntityRow) => boolean {
  const types = new Set(entityTypes.map(fold));
  const wanted = normalizeTags(tags).map(fold);
  const hasTags = (extra: string | null): boolean => {
    const present = new Set(tagsOf(extra).map(fold));
    return wanted.every((tag) => present.has(tag));
  };
  return (entity) =>
    (types.size === 0 || types.has(fold(entity.type))) && (wanted.length === 0 || hasTags(entity.extra)) && view.has(entity);
}
