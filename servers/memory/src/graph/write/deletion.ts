// Deletes entities, observations and relations from the current graph. They stay in history; only a purge (purge.ts) removes them. Names
// and texts that do not exist change nothing and are reported. Each generator may pause at its `yield`s.
import { nearestNames, reportChange } from "@oarlock/domain-kit";
import type { Relation } from "../model.ts";
import { knownNames } from "../read/known-names.ts";
import { suggestNames } from "../read/suggestions.ts";
import type { EntityRow } from "../rows/entities.ts";
import type { CallHandle, Rows } from "../rows/rows.ts";
import { checkItemCount, isStorable } from "../validation.ts";

/** How many were deleted or purged. */
export interface DeletedCounts {
  entities: number;
  observations: number;
  relations: number;
  /** Former names that were removed from the history of other entities. Only of a purge. */
  formerNames?: number;
}

/** A name or text to delete that does not exist, and similar ones that do. */
export interface MissingItem {
  readonly item: string;
  readonly suggestions: readonly string[];
}

export interface Deleted {
  readonly counts: DeletedCounts;
  readonly missing: readonly MissingItem[];
}

/** Missing items with suggestions: the others of a long list have none. */
const MAX_SUGGESTED = 5;

class MissingItems {
  readonly items: MissingItem[] = [];

  add(item: string, suggest: () => readonly string[]): void {
    this.items.push({ item, suggestions: this.items.length < MAX_SUGGESTED ? suggest() : [] });
  }
}

/** Deletes entities with their observations and all relations at their names, also at names that no entity has. */
export function* deleteEntities(rows: Rows, call: CallHandle, names: readonly string[]): Generator<void, Deleted> {
  checkItemCount(names.length);
  const known = knownNames(rows, names);
  prepareEntities(rows, names.map(known));
  const counts: DeletedCounts = { entities: 0, observations: 0, relations: 0 };
  const missing = new MissingItems();
  for (const name of new Set(names.map(known))) {
    if (!isStorable(name)) continue;
    const entity = rows.entities.named(name);
    if (entity !== undefined) {
      reportChange([name]);
      counts.entities++;
      counts.observations += rows.observations.countOf(entity.id);
      yield* endEntity(rows, call.seq(), entity);
    }
    const relationIds = rows.relations.idsAt(name);
    if (entity === undefined && relationIds.length === 0) missing.add(name, () => suggestNames(rows, name));
    if (relationIds.length > 0) reportChange([name]);
    for (const id of relationIds) {
      counts.relations += rows.relations.end(call.seq(), id);
      yield;
    }
  }
  return { counts, missing: missing.items };
}

function prepareEntities(rows: Rows, names: readonly string[]): void {
  rows.prepare({ names, relationsAt: names });
  rows.prepare({ observationsOf: names.flatMap((name) => rows.entities.named(name)?.id ?? []) });
}

/** Ends an entity with all its observations, but not its relations. May pause after each observation. */
export function* endEntity(rows: Rows, seq: number, entity: Pick<EntityRow, "id" | "name">): Generator<void> {
  rows.entities.end(seq, entity);
  for (const observation of rows.observations.of(entity.id)) {
    rows.observations.end(seq, observation);
    yield;
  }
}

export interface ObservationDeletion {
  entityName: string;
  observations: string[];
}

export function* deleteObservations(rows: Rows, call: CallHandle, deletions: readonly ObservationDeletion[]): Generator<void, Deleted> {
  checkItemCount(deletions.reduce((sum, { observations }) => sum + 1 + observations.length, 0));
  const names = deletions.map(({ entityName }) => entityName);
  const known = knownNames(rows, names);
  prepareEntities(rows, names.map(known));
  let count = 0;
  const missing = new MissingItems();
  for (const { entityName, observations } of deletions) {
    const entity = rows.entities.named(known(entityName));
    if (entity === undefined) {
      missing.add(entityName, () => suggestNames(rows, entityName));
      continue;
    }
    const texts = new Set(observations);
    const existing = rows.observations.of(entity.id);
    const existingTexts = new Set(existing.map(({ text }) => text));
    for (const text of texts) if (!existingTexts.has(text)) missing.add(text, () => nearestNames(text, existingTexts, 1));
    for (const observation of existing) {
      if (!texts.has(observation.text)) continue;
      reportChange([entityName]);
      rows.observations.end(call.seq(), observation);
      count++;
      yield;
    }
  }
  return { counts: { entities: 0, observations: count, relations: 0 }, missing: missing.items };
}

export function* deleteRelations(rows: Rows, call: CallHandle, relations: readonly Relation[]): Generator<void, Deleted> {
  checkItemCount(relations.length);
  rows.prepare({ relations: relations.map(({ from, to, relationType }) => [from, to, relationType]) });
  let count = 0;
  const missing = new MissingItems();
  for (const { from, to, relationType } of relations) {
    if (!isStorable(from, to, relationType)) continue;
    const id = rows.relations.idOf(from, to, relationType);
    if (id === undefined)
      missing.add(`${from} → ${relationType} → ${to}`, () => nearestNames(relationType, rows.relations.typesBetween(from, to), 1));
    else {
      reportChange([from, to, relationType]);
      count += rows.relations.end(call.seq(), id);
    }
    yield;
  }
  return { counts: { entities: 0, observations: 0, relations: count }, missing: missing.items };
}

/** Calls `removeBatch` until nothing is left, and adds up what it has removed. */
export async function sumBatches(isStopped: () => boolean, removeBatch: () => Promise<DeletedCounts | undefined>): Promise<DeletedCounts> {
  const sum = { entities: 0, observations: 0, relations: 0 };
  while (!isStopped()) {
    const removed = await removeBatch();
    if (removed === undefined) break;
    for (const kind of ["entities", "observations", "relations"] as const) sum[kind] += removed[kind];
  }
  return sum;
}
