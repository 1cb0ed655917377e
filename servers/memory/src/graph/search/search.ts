// The entrance to search: finds entities for a query, best first, in pages.
import { truncateText } from "@oarlock/domain-kit";
import { GraphError } from "../errors.ts";
import type { Relation } from "../model.ts";
import { openCursor, sealCursor } from "../read/cursors.ts";
import { neighbours, relationsWithin } from "../read/neighbourhood.ts";
import { recordedDates, type RecordedDates } from "../read/recorded-dates.ts";
import { PageBuilder, type Detail, type ShownEntity } from "../read/page-builder.ts";
import type { EntityRow } from "../rows/entities.ts";
import type { Rows, Wanted } from "../rows/rows.ts";
import { rowsWithin, type RangeView } from "../rows/time-views.ts";
import { normalizeTags, tagsOf } from "../tags.ts";
import { fold } from "../text-index/normalization.ts";
import { ALL_WORDS_SCORE, TIERS, type Hit, type HitPosition, type SearchQuery } from "./hit.ts";
import { rankedHits, type RankingOptions } from "./ranked-hits.ts";
import { NEAR_IN_MEANING } from "./semantic-ranking.ts";
import { substringHits } from "./substring-hits.ts";

export const DEFAULT_SEARCH_LIMIT = 25;
const MAX_QUERY_LENGTH = 10_000;
/** Characters of a matching observation in `matches`. */
const MAX_MATCH_LENGTH = 400;
/** Shares of the page; relations also get what entities have left. */
const ENTITY_SHARE = 0.7;
const MATCH_SHARE = 0.1;
const WHY_SHARE = 0.1;
const RELATION_SHARE = 0.15;
const RECORDED_SHARE = 0.05;

export interface SearchOptions extends RankingOptions {
  readonly query: string;
  /** Most hits on a page. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly entityTypes?: readonly string[] | undefined;
  /** Only facts of this time or later: when they hold or were told, else when they were recorded. */
  readonly since?: string | undefined;
  /** Only facts from before this time. */
  readonly before?: string | undefined;
  /** Only entities with all of these tags. */
  readonly tags?: readonly string[] | undefined;
  readonly detail: Detail;
  /** Entities up to this many relations away from the hits are shown too. Default 0. */
  readonly depth?: number | undefined;
  readonly maxBytes: number;
}

export interface Match {
  name: string;
  score: number;
  /** One sentence that tells how it was found; missing at the end of a page with very many hits. */
  why?: string;
  observation?: string;
}

export interface SearchPage {
  entities: ShownEntity[];
  relations: Relation[];
  matches: Match[];
  /** When the observations were recorded. */
  recorded: RecordedDates[];
  /** How many hits there are; missing where that is not known. */
  total?: number;
  /** How many neighbours of the hits did not fit. */
  omittedNear: number;
  omittedRelations: number;
  truncated: boolean;
  nextCursor?: string;
}

/** Names of the hits that have some of the words only. */
export const partialMatches = ({ matches }: SearchPage): string[] =>
  matches.filter(({ score, why }) => score < ALL_WORDS_SCORE && why !== NEAR_IN_MEANING).map(({ name }) => name);

/** Names of the hits that were found by their meaning. */
export const nearMatches = ({ matches }: SearchPage): string[] =>
  matches.filter(({ why }) => why === NEAR_IN_MEANING).map(({ name }) => name);

export function searchNodes(stored: Rows, options: SearchOptions): SearchPage {
  const { query, cursor, entityTypes = [], since, before, tags = [], detail, depth = 0 } = options;
  if (query.length > MAX_QUERY_LENGTH)
    throw new GraphError(
      "invalid",
      `Query too long: ${query.length} characters, at most ${MAX_QUERY_LENGTH} are allowed. Search for a few words.`,
    );
  const cursorQuery = ["search_nodes", query, entityTypes, since ?? null, before ?? null, tags, detail, depth];
  return stored.read(() => {
    const view = rowsWithin(stored, options);
    const { rows } = view;
    const after = cursor === undefined ? undefined : (openCursor(rows, cursorQuery, cursor) as unknown as HitPosition); // sealed below
    const builder = new PageBuilder(rows, options.maxBytes * ENTITY_SHARE, { detail });
    const page: SearchPage = {
      entities: builder.entities,
      relations: [],
      matches: [],
      recorded: [],
      omittedNear: 0,
      omittedRelations: 0,
      truncated: false,
    };
    const searchQuery = { text: fold(query), allows: filterBy(view, options) };
    const last = addHits(page, builder, rows.inBatches(findHits(rows, searchQuery, after, options), toWanted), options);
    if (cursor === undefined && !page.truncated) page.total = page.entities.length;
    if (page.truncated && last !== undefined) page.nextCursor = sealCursor(rows, cursorQuery, last as readonly number[]);
    addNeighbourhood(rows, page, builder, options);
    page.recorded = recordedDates(rows, builder, options.maxBytes * RECORDED_SHARE);
    return page;
  });
}

const toWanted = (hits: readonly Hit[]): Wanted => ({ observationsOf: hits.map(({ entity }) => entity.id) });

/** All hits after a position, best first. */
function* findHits(rows: Rows, query: SearchQuery, after: HitPosition | undefined, options: RankingOptions): Generator<Hit> {
  if (after === undefined || after[0] < TIERS.ranked) yield* substringHits(rows, query, after);
  yield* rankedHits(rows, query, after, options);
}

/** Fills the page with hits. Returns the position of the last one on it. */
function addHits(
  page: SearchPage,
  builder: PageBuilder,
  hits: Iterable<Hit>,
  { limit = DEFAULT_SEARCH_LIMIT, maxBytes }: SearchOptions,
): HitPosition | undefined {
  let last: HitPosition | undefined;
  let matchBytes = maxBytes * MATCH_SHARE;
  let whyBytes = maxBytes * WHY_SHARE;
  for (const { entity, position, score, why, observation } of hits) {
    if (page.entities.length >= limit) {
      page.truncated = true;
      break;
    }
    const { isComplete, isShown } = builder.add(entity);
    page.truncated = !isComplete;
    // A single hit that is too large for a page is on it in part; open_nodes reads the rest.
    if (!isShown) break;
    const visible = page.truncated || observation === undefined || matchBytes < 0 ? undefined : truncateText(observation, MAX_MATCH_LENGTH);
    matchBytes -= 2 * (visible?.length ?? 0);
    whyBytes -= why.length;
    page.matches.push({ name: entity.name, score, ...(whyBytes >= 0 && { why }), ...(visible !== undefined && { observation: visible }) });
    last = position;
    if (page.truncated) break;
  }
  return last;
}

function addNeighbourhood(rows: Rows, page: SearchPage, builder: PageBuilder, { maxBytes, detail, depth = 0 }: SearchOptions): void {
  const hitNames = page.entities.map(({ name }) => name);
  const near = neighbours(rows, hitNames, depth);
  rows.prepare({ observationsOf: near.entities.map(({ id }) => id) });
  const firstOmitted = near.entities.findIndex((entity) => !builder.add(entity).isComplete);
  page.omittedNear = firstOmitted === -1 ? 0 : near.entities.length - firstOmitted;
  page.truncated ||= near.hasMore || page.omittedNear > 0;
  if (detail === "names") return;
  const names = page.entities.map(({ name }) => name);
  const { relations, omitted } = relationsWithin(rows, names, maxBytes * RELATION_SHARE + builder.bytesLeft);
  page.relations = relations;
  page.omittedRelations = omitted;
  page.truncated ||= omitted > 0;
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
