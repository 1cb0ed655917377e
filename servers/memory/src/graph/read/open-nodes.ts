// Entities by their names with their neighbourhood, now or as of a time.
import type { Counted, Relation } from "../model.ts";
import type { EntityRow } from "../rows/entities.ts";
import type { Rows } from "../rows/rows.ts";
import { rowsAsOf } from "../rows/time-views.ts";
import { checkItemCount } from "../validation.ts";
import { knownNames } from "./known-names.ts";
import { neighbours, relationsAt, relationsWithin } from "./neighbourhood.ts";
import { PageBuilder, type Detail, type ShownEntity } from "./page-builder.ts";
import { pastOf, type Past } from "./past-relations.ts";
import { recordedDates, type RecordedDates } from "./recorded-dates.ts";
import { typeFilter, typesAt } from "./relation-types.ts";
import { suggestNames } from "./suggestions.ts";

/** Shares of the page that entities and relations may take; relations also get what entities have left. */
const ENTITY_SHARE = 0.6;
const RELATION_SHARE = 0.15;
const RECORDED_SHARE = 0.05;
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
  /** When the observations were recorded. */
  recorded: RecordedDates[];
  notFound: NotFound[];
  /** Named entities with facts that were replaced or deleted. */
  past: PastFacts[];
  /** Named entities that have another name today. */
  renamed: RenamedEntity[];
  /** Named entities that were recorded only after the time that is asked about. Those with a fact of that time are shown. */
  knownSince: KnownSince[];
  /** Named entities that did not fit. */
  omitted: string[];
  /** How many neighbours did not fit. */
  omittedNear: number;
  omittedRelations: number;
  /** The types of their relations, where none is of the requested ones. */
  typesHere?: string[];
  truncated: boolean;
}

export type PastFacts = Readonly<Counted>;

export interface RenamedEntity {
  readonly former: string;
  readonly present: string;
}

export interface KnownSince {
  readonly name: string;
  readonly date: string;
}

export interface NotFound {
  name: string;
  suggestions: string[];
  /** The date on which an entity with this name was deleted. */
  deleted?: string | undefined;
}

export function openNodes(rows: Rows, { names, depth = 0, relationTypes, asOf, ...options }: OpenOptions): OpenedNodes {
  checkItemCount(names.length);
  return rows.read(() => {
    const past = pastOf(rows, asOf);
    const facts = past === undefined ? rows : rowsAsOf(rows, past.seq, past.time);
    const { named, notFound, renamed, knownSince } = findAll(rows, names, past, facts);
    const scope = { isWanted: typeFilter(relationTypes), past: past?.relations };
    const namesNow = named.map(({ name }) => name);
    const near = neighbours(rows, namesNow, depth, scope);
    const found = [...named, ...near.entities];
    const page = new PageBuilder(facts, options.maxBytes * ENTITY_SHARE, { ...options, asOf: past?.seq });
    const underTheirNames = past === undefined ? found : found.map((row) => ({ ...row, name: past.names.nameOf(row) }));
    const fit = addAll(page, rows, underTheirNames, { namedCount: named.length, asOf: past?.seq });
    const visible = found.slice(0, page.entities.length).map(({ name }) => name);
    const recorded = recordedDates(rows, page, options.maxBytes * RECORDED_SHARE);
    const bytesLeft = options.maxBytes * RELATION_SHARE + page.bytesLeft;
    const { relations, omitted: omittedRelations } =
      options.detail === "names" ? NO_RELATIONS : relationsWithin(rows, visible, bytesLeft, scope);
    const isMissingTypes = (relationTypes ?? []).length > 0 && options.detail !== "names" && relations.length + omittedRelations === 0;
    const isCut = fit.isDivided || fit.omitted.length > 0 || fit.omittedNear > 0 || omittedRelations > 0;
    return {
      entities: page.entities,
      relations,
      recorded,
      notFound,
      past: past === undefined ? pastFacts(rows, found.slice(0, page.entities.length)) : [],
      renamed,
      knownSince,
      omitted: fit.omitted,
      omittedNear: fit.omittedNear,
      omittedRelations,
      ...(isMissingTypes && visible.length > 0 && { typesHere: typesAt(rows, visible, scope) }),
      truncated: isCut || near.hasMore,
    };
  });
}

/** How many facts of each are no longer valid; of those that have any. */
export function pastFacts(rows: Rows, entities: readonly Pick<EntityRow, "id" | "name">[]): PastFacts[] {
  rows.prepare({ pastCountsOf: entities.map(({ id }) => id) });
  return entities.flatMap(({ id, name }) => {
    const count = rows.observations.pastCountOf(id);
    return count === 0 ? [] : [{ name, count }];
  });
}

/** The entities in the order of their creation, as read_graph lists them. `facts`: those that held at the time that is asked about. */
function findAll(rows: Rows, names: readonly string[], past: Past | undefined, facts: Rows) {
  rows.prepare({ names });
  const knownSince: KnownSince[] = [];
  const named = new Map<number, EntityRow>();
  const notFound: NotFound[] = [];
  const renamed: RenamedEntity[] = [];
  const known = past === undefined ? knownNames(rows, names) : (name: string) => name;
  for (const name of new Set(names)) {
    let row = past === undefined ? rows.entities.named(known(name)) : past.names.find(name);
    if (row === undefined && past !== undefined) {
      const later = rows.entities.named(name);
      if (later !== undefined) knownSince.push({ name, date: recordedOn(rows, later) });
      if (later !== undefined && isOfThatTime(later, facts, past)) row = later;
    }
    if (row === undefined) {
      const isExplained = notFound.length < MAX_NAMES_WITH_SUGGESTIONS;
      notFound.push({
        name,
        suggestions: isExplained ? suggestNames(rows, name) : [],
        deleted: isExplained ? deletedOn(rows, name) : undefined,
      });
      continue;
    }
    named.set(row.id, row);
    const former = past?.names.nameOf(row) ?? row.name;
    if (former !== row.name) renamed.push({ former, present: row.name });
  }
  return { named: [...named.values()].sort((a, b) => a.id - b.id), notFound, renamed, knownSince };
}

/** Whether something is known of the entity that held then, though it was recorded later. */
function isOfThatTime({ id, name }: EntityRow, facts: Rows, { relations }: Past): boolean {
  if (facts.observations.of(id).length > 0) return true;
  for (const _relation of relationsAt(facts, name, "both", relations)) return true;
  return false;
}

function recordedOn(rows: Rows, { id, name }: EntityRow): string {
  const created = rows.entities.versions(name).find((version) => version.id === id)?.created ?? 0;
  return new Date(rows.calls.find(created)?.at ?? 0).toISOString().slice(0, 10);
}

/** The date on which the last entity with this name was deleted. */
function deletedOn(rows: Rows, name: string): string | undefined {
  const ended = rows.entities.versions(name).reduce((last, version) => Math.max(last, version.ended ?? 0), 0);
  if (ended === 0 || rows.calls.mergedInto(ended, name) !== undefined) return undefined;
  rows.prepare({ calls: [ended] });
  return new Date(rows.calls.find(ended)?.at ?? 0).toISOString().slice(0, 10);
}

/** Adds entities until one does not fit. `isDivided`: the first that does not fit is shown in part. */
function addAll(
  page: PageBuilder,
  rows: Rows,
  entities: readonly EntityRow[],
  { namedCount, asOf }: { namedCount: number; asOf: number | undefined },
) {
  let firstIncomplete = -1;
  const inBatches = rows.inBatches(entities.entries(), (batch) => ({ observationsOf: batch.map(([, { id }]) => id), asOf }));
  for (const [index, entity] of inBatches) {
    if (page.add(entity).isComplete) continue;
    firstIncomplete = index;
    break;
  }
  if (firstIncomplete === -1) return { isDivided: false, omitted: [], omittedNear: 0 };
  const isDivided = page.entities.at(-1)?.name === entities[firstIncomplete]?.name;
  const firstOmitted = firstIncomplete + (isDivided ? 1 : 0);
  return {
    isDivided,
    omitted: entities.slice(firstOmitted, Math.max(firstOmitted, namedCount)).map(({ name }) => name),
    omittedNear: entities.length - Math.max(firstOmitted, namedCount),
  };
}
