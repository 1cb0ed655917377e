// Updates entities: new names, new types, and merges of one entity into another.
import { clip, reportChange } from "@oarlock/domain-kit";
import { GraphError } from "../errors.ts";
import { knownNames } from "../read/known-names.ts";
import { didYouMean } from "../read/suggestions.ts";
import type { EntityRow } from "../rows/entities.ts";
import type { CallHandle, Rows } from "../rows/rows.ts";
import { normalizeTags, sameTags, tagsOf, withTags } from "../tags.ts";
import { checkItemCount, checkVisibleName, checkType } from "../validation.ts";

export interface EntityUpdate {
  name: string;
  newName?: string | undefined;
  entityType?: string | undefined;
  /** Tags in place of the present ones. */
  tags?: readonly string[] | undefined;
  /** If an entity has the new name already: merge into it. */
  merge?: boolean | undefined;
}

export type UpdatedEntity = {
  name: string;
  entityType: string;
  tags?: string[];
  renamedFrom?: string;
  /** The entity that was merged into this one. */
  merged?: string;
  /** It was so before. */
  unchanged?: true;
};

/** `mayMerge`: the user has accepted merges. Without it a merge that has become necessary in the meantime is refused. */
export function updateEntities(rows: Rows, call: CallHandle, updates: readonly EntityUpdate[], mayMerge: boolean): UpdatedEntity[] {
  checkItemCount(updates.length);
  rows.prepare({ names: updates.flatMap(({ name, newName = name }) => [name, newName]) });
  const known = knownNames(
    rows,
    updates.map(({ name }) => name),
  );
  return updates.map((update) => updateEntity(rows, call, { ...update, name: known(update.name) }, mayMerge));
}

function updateEntity(rows: Rows, call: CallHandle, update: EntityUpdate, mayMerge: boolean): UpdatedEntity {
  const { name, newName = name, entityType, tags, merge = false } = update;
  if (update.newName !== undefined) checkVisibleName(newName);
  else checkHasChange(update);
  if (entityType !== undefined) checkType(entityType, `Type of ${clip(name, 60)}`);
  const entity = rows.entities.named(name);
  if (entity === undefined) {
    const remedy = didYouMean(rows, name) ?? "Use search_nodes to find entities.";
    throw new GraphError("not-found", `Entity with name ${clip(name)} not found. Nothing was changed. ${remedy}`);
  }
  const other = newName === name ? undefined : rows.entities.named(newName);
  if (other !== undefined) checkMerge(name, other.name, merge, mayMerge);
  const target = other ?? entity;
  const hasNewType = entityType !== undefined && entityType !== target.type;
  const newTags = tags === undefined ? undefined : normalizeTags(tags);
  const hasNewTags = newTags !== undefined && !sameTags(newTags, tagsOf(target.extra));
  if (hasNewType) rows.entities.changeType(call.seq(), target, entityType);
  if (hasNewTags) {
    call.seq();
    rows.entities.setExtra(target.id, withTags(target.extra, newTags));
  }
  const updated = { name: newName, entityType: entityType ?? target.type, ...(newTags !== undefined && { tags: newTags }) };
  if (other !== undefined) {
    reportChange([name, newName]);
    mergeInto(rows, call.seq(), entity, other);
    return { ...updated, merged: name };
  }
  if (newName === name && !hasNewType && !hasNewTags) return { ...updated, unchanged: true };
  reportChange([name, newName]);
  if (newName === name) return updated;
  rows.entities.rename(call.seq(), entity, newName);
  return { ...updated, renamedFrom: name };
}

/** Throws for an update without a new name that changes nothing, or that does not name the entity to merge into. */
function checkHasChange({ name, entityType, tags, merge = false }: EntityUpdate): void {
  const missing = merge
    ? "the entity to merge into: name it in newName"
    : entityType === undefined && tags === undefined
      ? "a change: give newName, entityType or tags"
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
function mergeInto(rows: Rows, seq: number, from: EntityRow, into: EntityRow): void {
  rows.prepare({ observationsOf: [from.id, into.id] });
  const existing = new Set(rows.observations.of(into.id).map(({ text }) => text));
  for (const observation of rows.observations.of(from.id)) {
    const successor = existing.has(observation.text)
      ? undefined
      : rows.observations.insert(seq, into.id, observation.text, observation.times);
    rows.observations.end(seq, observation, successor);
  }
  rows.entities.mergeInto(seq, from, into);
}
