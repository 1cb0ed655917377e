// The differences between a JSONL file and the snapshot that it contained before another program changed it. New lines are additions;
// missing lines are deletions, because they were there before. Nothing is changed here.
import type { Snapshot, SnapshotEntity } from "../history/snapshot.ts";
import type { Entity, Relation } from "../model.ts";
import { DUPLICATE_ENTITY, DUPLICATE_RELATION, type Damage } from "./damaged-lines.ts";
import type { JsonlFile, NumberedLine } from "./jsonl-file.ts";

export interface FileEntity extends Entity {
  /** Unknown fields, as a JSON object. */
  extra: string | undefined;
  /** Of the observations that have times of their own, by text. */
  times?: ReadonlyMap<string, string>;
}

export interface ChangedEntity {
  before: SnapshotEntity;
  /** The new type, if it has changed. */
  entityType?: string;
  /** The new unknown fields, if they have changed. */
  extra: string | undefined;
  /** Observations that are new in the file. */
  added: string[];
  /** Observations that are gone from the file. */
  gone: string[];
  /** The times of observations, where they have changed or the observation is new. Null: gone from the file. */
  times?: ReadonlyMap<string, string | null>;
}

export class Differences {
  newEntities: FileEntity[] = [];
  changedEntities: ChangedEntity[] = [];
  goneEntities: SnapshotEntity[] = [];
  newRelations: { relation: Relation; extra: string | undefined }[] = [];
  changedRelations: { id: number; extra: string }[] = [];
  goneRelations: number[] = [];
  newRecords: string[] = [];
  goneRecords: number[] = [];
  damages: Damage[] = [];
  /** The last line may be incomplete. */
  mayBeIncomplete = false;
  /** Unknown fields or records are missing: the reference server does not write them. They are not deleted. */
  lacksExtras = false;
}

export function countDifferences(differences: Differences): number {
  const { damages: _damages, mayBeIncomplete: _isIncomplete, lacksExtras: _lacksExtras, ...lists } = differences;
  return Object.values(lists).reduce((sum, list) => sum + list.length, 0);
}

/** Yields the number of lines that were read so far. */
export function* findDifferences(snapshot: Snapshot, file: JsonlFile): Generator<number, Differences> {
  const comparison = new Comparison(snapshot);
  let lines = 0;
  for (const line of file.lines()) {
    comparison.addLine(line);
    yield (lines = line.number);
  }
  for (const _ of comparison.findGone()) yield lines;
  return comparison.differences;
}

class Comparison {
  readonly differences = new Differences();
  readonly #snapshot: Snapshot;
  /** Ids of entities and relations of the snapshot that are in the file. */
  readonly #entities = new Set<number>();
  readonly #relations = new Set<number>();
  /** New entities and relations of the file, by name and by their ends. */
  readonly #newEntities = new Map<string, FileEntity>();
  readonly #newRelations = new Set<string>();
  /** Ids of the records of the snapshot that are not in the file. */
  readonly #missingRecords: Map<string, number>;
  #hasRecords = false;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
    this.#missingRecords = new Map(snapshot.records().map(({ id, line }) => [line, id]));
  }

  addLine(line: NumberedLine): void {
    const { parsed } = line;
    if (parsed.kind === "entity") this.#addEntity(line, { ...parsed.entity, extra: parsed.extra });
    else if (parsed.kind === "relation") this.#addRelation(line, parsed.relation, parsed.extra);
    else if (parsed.kind === "record") this.#addRecord(parsed.line);
    else {
      this.differences.damages.push({ ...line, reason: parsed.reason });
      this.differences.mayBeIncomplete ||= parsed.mayBeIncomplete;
    }
  }

  /** Finds what is in the snapshot and not in the file. May pause after each page. */
  *findGone(): Generator<void> {
    const { differences } = this;
    if (this.#hasRecords) differences.goneRecords = [...this.#missingRecords.values()];
    else differences.lacksExtras ||= this.#missingRecords.size > 0;
    for (const page of this.#snapshot.entityIds()) {
      const gone = page.filter((id) => !this.#entities.has(id));
      differences.goneEntities.push(...gone.flatMap((id) => this.#snapshot.entity(id) ?? []));
      yield;
    }
    for (const page of this.#snapshot.relations()) {
      differences.goneRelations.push(...page.filter(({ id }) => !this.#relations.has(id)).map(({ id }) => id));
      yield;
    }
  }

  #addEntity(line: NumberedLine, entity: FileEntity): void {
    const before = this.#snapshot.entityNamed(entity.name);
    if (before === undefined) return this.#addNewEntity(line, entity);
    const isDuplicate = this.#entities.has(before.id);
    this.#entities.add(before.id);
    const added = surplus(entity.observations, before.observations);
    if (isDuplicate) {
      this.differences.damages.push({ ...line, reason: DUPLICATE_ENTITY });
      const times = entity.times === undefined ? {} : { times: entity.times };
      if (added.length > 0) this.differences.changedEntities.push({ before, extra: undefined, added, gone: [], ...times });
      return;
    }
    const lacksTimes = entity.times === undefined && before.times !== undefined;
    this.differences.lacksExtras ||= (entity.extra === undefined && before.extra !== null) || lacksTimes;
    const times = lacksTimes ? new Map<string, string>() : changedTimes(entity, before);
    const gone = surplus(before.observations, entity.observations);
    const hasNewType = entity.entityType !== before.entityType;
    const extra = entity.extra === before.extra ? undefined : entity.extra;
    if (!hasNewType && extra === undefined && added.length === 0 && gone.length === 0 && times.size === 0) return;
    const type = hasNewType && { entityType: entity.entityType };
    this.differences.changedEntities.push({ before, extra, added, gone, ...type, ...(times.size > 0 && { times }) });
  }

  #addNewEntity(line: NumberedLine, entity: FileEntity): void {
    const first = this.#newEntities.get(entity.name);
    if (first === undefined) {
      this.#newEntities.set(entity.name, entity);
      this.differences.newEntities.push(entity);
      return;
    }
    const existing = new Set(first.observations);
    for (const text of entity.observations) if (!existing.has(text)) first.observations.push(text);
    this.differences.damages.push({ ...line, reason: DUPLICATE_ENTITY });
  }

  #addRelation(line: NumberedLine, given: Relation, extra: string | undefined): void {
    const from = this.#snapshot.presentName(given.from);
    const to = this.#snapshot.presentName(given.to);
    const { relationType } = given;
    const before = this.#snapshot.relation(from, to, relationType);
    const ends = JSON.stringify([from, to, relationType]);
    const isDuplicate = before === undefined ? this.#newRelations.has(ends) : this.#relations.has(before.id);
    if (isDuplicate) this.differences.damages.push({ ...line, reason: DUPLICATE_RELATION });
    else if (before === undefined) {
      this.#newRelations.add(ends);
      this.differences.newRelations.push({ relation: { from, to, relationType }, extra });
    } else {
      this.#relations.add(before.id);
      this.differences.lacksExtras ||= extra === undefined && before.extra !== null;
      if (extra !== undefined && extra !== before.extra) this.differences.changedRelations.push({ id: before.id, extra });
    }
  }

  #addRecord(record: string): void {
    this.#hasRecords = true;
    if (!this.#missingRecords.delete(record)) this.differences.newRecords.push(record);
  }
}

function changedTimes({ observations, times }: FileEntity, before: SnapshotEntity): Map<string, string | null> {
  if (times === undefined && before.times === undefined) return new Map();
  const changed = observations.filter((text) => times?.get(text) !== before.times?.get(text));
  return new Map(changed.map((text) => [text, times?.get(text) ?? null]));
}

/** The texts that occur more often than among the others. */
function surplus(texts: readonly string[], others: readonly string[]): string[] {
  if (texts.length === others.length && texts.every((text, index) => text === others[index])) return [];
  const left = new Map<string, number>();
  for (const text of others) left.set(text, (left.get(text) ?? 0) + 1);
  return texts.filter((text) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  });
}
