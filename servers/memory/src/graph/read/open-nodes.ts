// Entities by their names with their neighbourhood, now or as of a time.
import type { Relation } from "../model.ts";
import { seqUntil } from "../store/calls.ts";
import { findEntity, type EntityRow } from "../store/rows.ts";
import type { Store } from "../store/store.ts";
import { checkItemCount } from "../validation.ts";
import { neighbours, relationsWithin } from "./neighbourhood.ts";
import { PageBuilder, type Detail, type ShownEntity } from "./page-builder.ts";
import { suggestNames } from "./suggestions.ts";

/** Shares of the page that entities and relations may take; relations also get what entities have left. */
const ENTITY_SHARE = 0.65;
const RELATION_SHARE = 0.15;
/** Names that were not found and get suggestions. */
const MAX_NAMES_WITH_SUGGESTIONS = 20;
const NO_RELATIONS = { relations: [], omitted: 0 };

export interface OpenOptions {
  readonly names: readonly string[];
  /** Entities up to this many relations away are opened too. Default 0. */
  readonly depth?: number | undefined;
  readonly relationTypes?: readonly string[] | undefined;
  /** A time: the graph as it was then. Default: now. */
  readonly asOf?: string | undefined;
  readonly maxObservations?: number | undefined;
  readonly detail: Detail;
  readonly maxBytes: number;
}

export interface OpenedNodes {
  entities: ShownEntity[];
  relations: Relation[];
  notFound: NotFound[];
  /** Named entities that did not fit. */
  omitted: string[];
  /** How many neighbours did not fit. */
  omittedNear: number;
  omittedRelations: number;
  truncated: boolean;
}

export interface NotFound {
  name: string;
  suggestions: string[];
}

export function openNodes(store: Store, { names, depth = 0, relationTypes, asOf: time, ...options }: OpenOptions): OpenedNodes {
  checkItemCount(names.length);
  return store.read(() => {
    const asOf = time === undefined ? undefined : seqUntil(store, time);
    const { named, notFound } = findAll(store, names, asOf);
    const scope = { types: relationTypes, asOf };
    const near = neighbours(
      store,
      named.map(({ name }) => name),
      depth,
      scope,
    );
    const page = new PageBuilder(store, options.maxBytes * ENTITY_SHARE, { ...options, asOf });
    const fit = addAll(page, named, near.rows);
    const shown = page.entities.map(({ name }) => name);
    const bytesLeft = options.maxBytes * RELATION_SHARE + page.bytesLeft;
    const { relations, omitted: omittedRelations } =
      options.detail === "names" ? NO_RELATIONS : relationsWithin(store, shown, bytesLeft, scope);
    const isCut = fit.isDivided || fit.omitted.length > 0 || fit.omittedNear > 0 || omittedRelations > 0;
    return {
      entities: page.entities,
      relations,
      notFound,
      omitted: fit.omitted,
      omittedNear: fit.omittedNear,
      omittedRelations,
      truncated: isCut || near.hasMore,
    };
  });
}

/** The entities in the order of their creation, as read_graph lists them. */
function findAll(store: Store, names: readonly string[], asOf: number | undefined): { named: EntityRow[]; notFound: NotFound[] } {
  const named: EntityRow[] = [];
  const notFound: NotFound[] = [];
  for (const name of new Set(names)) {
    const row = findEntity(store, name, asOf);
    if (row !== undefined) named.push(row);
    else notFound.push({ name, suggestions: notFound.length < MAX_NAMES_WITH_SUGGESTIONS ? suggestNames(store, name) : [] });
  }
  return { named: named.sort((a, b) => a.id - b.id), notFound };
}

/** Adds entities until one does not fit. `isDivided`: the first that does not fit is shown in part. */
function addAll(page: PageBuilder, named: readonly EntityRow[], near: readonly EntityRow[]) {
  const rows = [...named, ...near];
  const firstIncomplete = rows.findIndex((row) => !page.add(row).isComplete);
  if (firstIncomplete === -1) return { isDivided: false, omitted: [], omittedNear: 0 };
  const isDivided = page.entities.at(-1)?.name === rows[firstIncomplete]?.name;
  const firstOmitted = firstIncomplete + (isDivided ? 1 : 0);
  return {
    isDivided,
    omitted: named.slice(firstOmitted).map(({ name }) => name),
    omittedNear: rows.length - Math.max(firstOmitted, named.length),
  };
}
