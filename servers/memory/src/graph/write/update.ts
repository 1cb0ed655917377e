// Entities get other names and types. A new name that another entity has is refused, or the one goes into the other.
import { clip, GraphError } from "../errors.ts";
import { checkCount, checkName, checkWord } from "../model.ts";
import { endObservation, entityNamed, insertObservation, observationsOf, type EntityRow } from "../store/rows.ts";
import type { Change, Store } from "../store/store.ts";
import { addTurn, moveRelations, rename, retype } from "./renames.ts";

export interface Update {
  name: string;
  newName?: string | undefined;
  entityType?: string | undefined;
  /** When the new name is taken: go into that entity. */
  merge?: boolean | undefined;
}

export type Updated = {
  name: string;
  entityType: string;
  renamedFrom?: string;
  /** The entity that went into this one. */
  merged?: string;
};

/** The merges that the updates would do, for the question before. */
export function mergesIn(store: Store, updates: readonly Update[]): { name: string; into: string }[] {
  // A name may be taken by an update before.
  const taken = new Set<string>();
  return updates.flatMap(({ name, newName, merge }) => {
    if (newName === undefined || newName === name) return [];
    const isMerge = merge === true && (taken.has(newName) || entityNamed(store, newName) !== undefined);
    taken.add(newName);
    return isMerge ? [{ name, into: newName }] : [];
  });
}

/** `mayMerge`: merges are agreed to. What was no merge when it was asked for may be one by now, if another process was quick. */
export function updateEntities(store: Store, change: Change, updates: readonly Update[], mayMerge: boolean): Updated[] {
  checkCount(updates.length);
  return updates.map((update) => updateEntity(store, change, update, mayMerge));
}

function updateEntity(store: Store, change: Change, { name, newName, entityType, merge = false }: Update, mayMerge: boolean): Updated {
  if (newName !== undefined) checkName(newName);
  if (entityType !== undefined) checkWord(entityType, `The type of ${clip(name, 60)}`);
  const entity = entityNamed(store, name);
  if (entity === undefined) throw new GraphError("not-found", `Entity with name ${clip(name)} not found. Nothing was changed.`);
  const other = newName === undefined || newName === name ? undefined : entityNamed(store, newName);
  if (other !== undefined && !merge)
    throw new GraphError(
      "invalid",
      `There is an entity named ${clip(other.name)} already: set merge to put ${clip(name)} into it, or take another name. Nothing was changed.`,
    );
  if (other !== undefined && !mayMerge)
    throw new GraphError("invalid", `An entity named ${clip(other.name)} has just been made: call again. Nothing was changed.`);
  const target = other ?? entity;
  if (entityType !== undefined) retype(store, change.seq(), target, entityType);
  const shown = { name: newName ?? name, entityType: entityType ?? target.type };
  if (other !== undefined) {
    mergeInto(store, change.seq(), entity, other);
    return { ...shown, merged: name };
  }
  if (newName === undefined || newName === name) return shown;
  rename(store, change.seq(), entity, newName);
  return { ...shown, renamedFrom: name };
}

/** Its observations are said of the other from now on, and its relations begin and end there. */
function mergeInto(store: Store, seq: number, from: EntityRow, into: EntityRow): void {
  const known = new Set(observationsOf(store, into.id).map(({ text }) => text));
  for (const observation of observationsOf(store, from.id)) {
    const successor = known.has(observation.text) ? undefined : insertObservation(store, seq, into.id, observation.text);
    endObservation(store, seq, observation, successor);
  }
  store.run("UPDATE entity SET ended = ? WHERE id = ?", seq, from.id);
  store.texts.remove("name", from.id, from.name);
  // What was between the two says nothing any more.
  const between = "UPDATE relation SET ended = ? WHERE source = ? AND target = ? AND ended IS NULL";
  store.run(between, seq, from.name, into.name);
  store.run(between, seq, into.name, from.name);
  moveRelations(store, seq, from, into.name);
  addTurn(store, seq, into.id, "merged", from.name, into.name);
}
