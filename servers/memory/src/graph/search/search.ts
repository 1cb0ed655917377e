// Search: what holds the query as it stands, then what holds its words; ranked, in pages.
import { openCursor, sealCursor } from "../read/cursors.ts";
import { beginOf, GraphError } from "../errors.ts";
import type { Relation } from "../model.ts";
import { fold } from "../text-index/normalization.ts";
import { literalHits, TIERS, type Hit, type Place, type Wanted } from "./substring-hits.ts";
import { neighbours, relationsOf } from "../read/neighbourhood.ts";
import type { EntityRow } from "../store/rows.ts";
import type { Store } from "../store/store.ts";
import { seqSince } from "../history/call-times.ts";
import { Filling, type Detail, type ShownEntity } from "../read/page-builder.ts";
import { wordHits, describeError } from "./word-hits.ts";

const LONGEST = 10_000;
/** Hits on a page unless told otherwise. */
export const SEARCH_LIMIT = 25;
const MATCH_BYTES = 400;

export interface SearchOptions {
  readonly query: string;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly entityTypes?: readonly string[] | undefined;
  /** Only entities with something new since then. */
  readonly since?: string | undefined;
  readonly detail: Detail;
  /** Entities up to so many relations away are shown too. */
  readonly depth?: number | undefined;
  readonly room: number;
}

export interface Match {
  name: string;
  score: number;
  observation?: string;
}

export interface SearchPage {
  entities: ShownEntity[];
  relations: Relation[];
  matches: Match[];
  /** How many there are, where that is known. */
  total?: number;
  /** Entities around the hits for which there was no room. */
  omittedNear: number;
  omittedRelations: number;
  truncated: boolean;
  nextCursor?: string;
}

export function searchNodes(store: Store, options: SearchOptions): SearchPage {
  const { query, limit = SEARCH_LIMIT, cursor, entityTypes = [], since, detail, depth = 0 } = options;
  if (query.length > LONGEST)
    throw new GraphError("invalid", `The query has ${query.length} characters, the limit is ${LONGEST}: look for a few words.`);
  const question = ["search_nodes", query, entityTypes, since ?? null, detail, depth];
  return store.read(() => {
    const after = cursor === undefined ? undefined : (openCursor(store, question, cursor) as unknown as readonly [...Place]); // sealed by us
    const filling = new Filling(store, options.room * 0.7, { detail });
    const page: SearchPage = {
      entities: filling.entities,
      relations: [],
      matches: [],
      omittedNear: 0,
      omittedRelations: 0,
      truncated: false,
    };
    const wanted: Wanted = { query: fold(query), allows: filterOf(store, entityTypes, since) };
    let last: Place | undefined;
    let room = options.room * 0.1;
    for (const { entity, place, score, observation } of hits(store, wanted, after)) {
      page.truncated = filling.entities.length >= limit || !filling.add(entity).done;
      if (page.truncated && filling.entities.length > page.matches.length) {
        // The first of a page was cut to what fits; the rest of it is for open_nodes.
        page.matches.push({ name: entity.name, score });
        last = place;
      }
      if (page.truncated) break;
      const shown = observation === undefined || room < 0 ? undefined : beginOf(observation, MATCH_BYTES);
      room -= 2 * (shown?.length ?? 0);
      page.matches.push({ name: entity.name, score, ...(shown !== undefined && { observation: shown }) });
      last = place;
    }
    if (cursor === undefined && !page.truncated) page.total = page.entities.length;
    if (page.truncated && last !== undefined) page.nextCursor = sealCursor(store, question, last as readonly number[]);
    addSurroundings(store, page, filling, options, depth);
    return page;
  });
}

function* hits(store: Store, wanted: Wanted, after: Place | undefined): Generator<Hit> {
  if (after === undefined || after[0] < TIERS.words) yield* literalHits(store, wanted, after);
  const words = describeError(wanted.query);
  if (words.length > 0) yield* wordHits(store, wanted, words, after);
}

function addSurroundings(store: Store, page: SearchPage, filling: Filling, { room, detail }: SearchOptions, depth: number): void {
  const found = page.entities.map(({ name }) => name);
  const near = neighbours(store, found, depth);
  const fitting = near.rows.findIndex((row) => !filling.add(row).done);
  page.omittedNear = fitting === -1 ? 0 : near.rows.length - fitting;
  page.truncated ||= near.more || page.omittedNear > 0;
  if (detail === "names") return;
  const { relations, omitted } = relationsOf(
    store,
    page.entities.map(({ name }) => name),
    { room: room * 0.2 + filling.room },
  );
  page.relations = relations;
  page.omittedRelations = omitted;
  page.truncated ||= omitted > 0;
}

function filterOf(store: Store, types: readonly string[], since: string | undefined): (entity: EntityRow) => boolean {
  const wanted = new Set(types.map(fold));
  const from = since === undefined ? undefined : seqSince(store, since);
  const isNew =
    "SELECT 1 FROM entity WHERE id = ?1 AND created >= ?2 UNION ALL SELECT 1 FROM observation WHERE entity = ?1 AND ended IS NULL AND created >= ?2 LIMIT 1";
  return ({ id, type }) =>
    (wanted.size === 0 || wanted.has(fold(type))) && (from === undefined || store.get(isNew, id, from) !== undefined);
}
