// What another program has changed in the mirror, against what the mirror showed before: additions are additions, and what is gone
// was deleted, but only if it had been there. Reads only, in pieces.
import type { Entity, Relation } from "../model.ts";
import type { JsonlFile, Numbered } from "./jsonl-file.ts";
import type { Past, PastEntity } from "../history/snapshot.ts";
import { AGAIN, TWICE, type Damage } from "./first-import.ts";

export interface NewEntity extends Entity {
  extra: string | undefined;
}

export interface ChangedEntity {
  past: PastEntity;
  entityType?: string;
  /** Only where it is another. */
  extra?: { readonly now: string };
  added: string[];
  gone: string[];
}

export interface Differences {
  newEntities: NewEntity[];
  changed: ChangedEntity[];
  goneEntities: PastEntity[];
  newRelations: { relation: Relation; extra: string | undefined }[];
  changedRelations: { id: number; extra: string }[];
  goneRelations: number[];
  newRecords: string[];
  goneRecords: number[];
  damages: Damage[];
  /** What others do not know is gone from it, as the reference server leaves out what it has no field for. That is no deletion. */
  lacks: boolean;
}

/** How many there are. */
export const countOf = (found: Differences): number =>
  [
    found.newEntities,
    found.changed,
    found.goneEntities,
    found.newRelations,
    found.changedRelations,
    found.goneRelations,
    found.newRecords,
    found.goneRecords,
  ].reduce((sum, list) => sum + list.length, 0);

export function* compare(past: Past, file: JsonlFile): Generator<number, Differences> {
  const found: Differences = {
    newEntities: [],
    changed: [],
    goneEntities: [],
    newRelations: [],
    changedRelations: [],
    goneRelations: [],
    newRecords: [],
    goneRecords: [],
    damages: [],
    lacks: false,
  };
  const seen = { entities: new Set<number>(), relations: new Set<number>(), names: new Map<string, NewEntity>(), ends: new Set<string>() };
  let hasRecords = false;
  const records = new Map(past.records().map(({ id, line }) => [line, id]));
  for (const numbered of file.lines()) {
    const { read, number } = numbered;
    if (read.kind === "entity") compareEntity(past, numbered, { ...read.entity, extra: read.extra }, found, seen);
    else if (read.kind === "relation") compareRelation(past, numbered, read.relation, read.extra, found, seen);
    else if (read.kind === "damaged") found.damages.push({ ...numbered, why: read.why });
    else {
      hasRecords = true;
      if (!records.delete(read.line)) found.newRecords.push(read.line);
    }
    yield number;
  }
  if (hasRecords) found.goneRecords = [...records.values()];
  else found.lacks ||= records.size > 0;
  for (const page of past.ids()) {
    found.goneEntities.push(...page.filter((id) => !seen.entities.has(id)).flatMap((id) => past.entity(id) ?? []));
    yield 0;
  }
  for (const page of past.relations()) {
    found.goneRelations.push(...page.filter(({ id }) => !seen.relations.has(id)).map(({ id }) => id));
    yield 0;
  }
  return found;
}

interface Seen {
  entities: Set<number>;
  relations: Set<number>;
  /** New ones, by name. */
  names: Map<string, NewEntity>;
  ends: Set<string>;
}

function compareEntity(past: Past, numbered: Numbered, entity: NewEntity, found: Differences, seen: Seen): void {
  const before = past.entityNamed(entity.name);
  if (before === undefined) {
    const twin = seen.names.get(entity.name);
    if (twin === undefined) {
      seen.names.set(entity.name, entity);
      found.newEntities.push(entity);
    } else {
      const known = new Set(twin.observations);
      for (const text of entity.observations) if (!known.has(text)) twin.observations.push(text);
      found.damages.push({ ...numbered, why: TWICE });
    }
    return;
  }
  const isTwin = seen.entities.has(before.id);
  seen.entities.add(before.id);
  const added = lessThese(entity.observations, before.observations);
  if (isTwin) {
    found.damages.push({ ...numbered, why: TWICE });
    if (added.length > 0) found.changed.push({ past: before, added, gone: [] });
    return;
  }
  const gone = lessThese(before.observations, entity.observations);
  const retyped = entity.entityType !== before.entityType;
  const more = entity.extra !== undefined && entity.extra !== before.extra;
  found.lacks ||= entity.extra === undefined && before.extra !== null;
  if (!retyped && !more && added.length === 0 && gone.length === 0) return;
  found.changed.push({
    past: before,
    added,
    gone,
    ...(retyped && { entityType: entity.entityType }),
    ...(more && entity.extra !== undefined && { extra: { now: entity.extra } }),
  });
}

/** What is in the one list more often than in the other. */
function lessThese(texts: readonly string[], others: readonly string[]): string[] {
  if (texts.length === others.length && texts.every((text, at) => text === others[at])) return [];
  const left = new Map<string, number>();
  for (const text of others) left.set(text, (left.get(text) ?? 0) + 1);
  return texts.filter((text) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  });
}

function compareRelation(past: Past, numbered: Numbered, given: Relation, extra: string | undefined, found: Differences, seen: Seen): void {
  const relation = { ...given, from: past.nameNow(given.from), to: past.nameNow(given.to) };
  const before = past.relation(relation.from, relation.to, relation.relationType);
  const ends = JSON.stringify([relation.from, relation.to, relation.relationType]);
  const isTwin = before === undefined ? seen.ends.has(ends) : seen.relations.has(before.id);
  if (isTwin) found.damages.push({ ...numbered, why: AGAIN });
  else if (before === undefined) {
    seen.ends.add(ends);
    found.newRelations.push({ relation, extra });
  } else {
    seen.relations.add(before.id);
    found.lacks ||= extra === undefined && before.extra !== null;
    if (extra !== undefined && extra !== before.extra) found.changedRelations.push({ id: before.id, extra });
  }
}
