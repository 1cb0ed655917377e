// Updates entities: new names, new types, and merges of one entity into another.
import { clip } from "@oarlock/domain-kit";
import { GraphError } from "../errors.ts";
import { didYouMean } from "../read/suggestions.ts";
import { endObservation, findEntity, insertObservation, observationsOf, type EntityRow } from "../store/rows.ts";
import type { CallHandle, Store } from "../store/store.ts";
import { checkItemCount, checkName, checkType } from "../validation.ts";
import { changeType, logEntityChange, logMovedRelations, moveRelations, rename } from "./renames.ts";

export interface EntityUpdate {
  name: string;
  newName?: string | undefined;
  entityType?: string | undefined;
  /** If an entity has the new name already: merge into it. */
  merge?: boolean | undefined;
}

export type UpdatedEntity = {
  name: string;
  entityType: string;
  renamedFrom?: string;
  /** The entity that was merged into this one. */
  merged?: string;
};

/** `mayMerge`: the user has accepted merges. Without it a merge that has become necessary in the meantime is refused. */
export function updateEntities(store: Store, call: CallHandle, updates: readonly EntityUpdate[], mayMerge: boolean): UpdatedEntity[] {
  checkItemCount(updates.length);
  return updates.map((update) => updateEntity(store, call, update, mayMerge));
}

function updateEntity(store: Store, call: CallHandle, update: EntityUpdate, mayMerge: boolean): UpdatedEntity {
  const { name, newName = name, entityType, merge = false } = update;
  if (update.newName !== undefined) checkName(newName);
  else checkHasChange(update);
  if (entityType !== undefined) checkType(entityType, `Type of ${clip(name, 60)}`);
  const entity = findEntity(store, name);
  if (entity === undefined) {
    const remedy = didYouMean(store, name) ?? "Use search_nodes to find entities.";
    throw new GraphError("not-found", `Entity with name ${clip(name)} not found. Nothing was changed. ${remedy}`);
  }
  const other = newName === name ? undefined : findEntity(store, newName);
  if (other !== undefined) checkMerge(name, other.name, merge, mayMerge);
  const target = other ?? entity;
  if (entityType !== undefined) changeType(store, call.seq(), target, entityType);
  const updated = { name: newName, entityType: entityType ?? target.type };
  if (other !== undefined) {
    mergeInto(store, call.seq(), entity, other);
    return { ...updated, merged: name };
  }
  if (newName === name) return updated;
  rename(store, call.seq(), entity, newName);
  return { ...updated, renamedFrom: name };
}

/** Throws for an update without a new name that changes nothing, or that does not name the entity to merge into. */
function checkHasChange({ name, entityType, merge = false }: EntityUpdate): void {
  const missing = merge
    ? "the entity to merge into: name it in newName"
    : entityType === undefined
      ? "a change: give newName or entityType"
      : undefined;
  if (missing !== undefined) throw new GraphError("invalid", `Update of ${clip(name)} lacks ${missing}. Nothing was changed.`);
}

function checkMerge(name: string, into: string, merge: boolean, mayMerge: boolean): void {
  if (!merge)
    throw new GraphError(
      "invalid",
      `Name ${clip(into)} already taken by another entity. Nothing was changed. Pass merge: true to merge ${clip(name)} into it, or choose another name.`,
    );
  if (!mayMerge)
    throw new GraphError(
      "invalid",
      `Entity ${clip(into)} has just been created. Nothing was changed. Repeat the call to confirm the merge.`,
    );
}

/** Moves observations and relations from one entity to the other. */
function mergeInto(store: Store, seq: number, from: EntityRow, into: EntityRow): void {
  const existing = new Set(observationsOf(store, into.id).map(({ text }) => text));
  for (const observation of observationsOf(store, from.id)) {
    const successor = existing.has(observation.text) ? undefined : insertObservation(store, seq, into.id, observation.text);
    endObservation(store, seq, observation, successor);
  }
  store.run("UPDATE entity SET ended = ? WHERE id = ?", seq, from.id);
  store.textIndex.remove("name", from.id, from.name);
  // Relations between the two would relate the merged entity to itself.
  const endBetween = "UPDATE relation SET ended = ? WHERE source = ? AND target = ? AND ended IS NULL";
  store.run(endBetween, seq, from.name, into.name);
  store.run(endBetween, seq, into.name, from.name);
  logMovedRelations(store, seq, from, into.name);
  moveRelations(store, seq, from, into.name);
  logEntityChange(store, seq, into.id, "merged", from.name, into.name);
}
