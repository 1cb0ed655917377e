// Entities in Postgres.
import type { Counted } from "../../../graph/model.ts";
import type { EndedName, EntityRow, EntityRows, EntityVersion, NewEntityRow } from "../../../graph/rows/entities.ts";
import { isStorable } from "../../../graph/validation.ts";
import { similarityKey } from "../../../graph/text-index/normalization.ts";
import type { EntityLookups } from "./entity-lookups.ts";
import { keyOf } from "./lookups.ts";
import { pages } from "./paging.ts";
import type { PendingChanges } from "../write/pending-changes.ts";

export class PostgresEntities implements EntityRows {
  readonly #lookups: EntityLookups;
  readonly #pending: PendingChanges;
  /** What this transaction has changed and not written yet: entities by name and id, undefined where they have ended. */
  readonly #byName = new Map<string, EntityRow | undefined>();
  readonly #byId = new Map<number, EntityRow | undefined>();
  readonly #addedByKey = new Map<string, EntityRow[]>();

  constructor(lookups: EntityLookups, pending: PendingChanges) {
    this.#lookups = lookups;
    this.#pending = pending;
  }

  named(name: string, asOf?: number): EntityRow | undefined {
    if (!isStorable(name)) return undefined;
    if (asOf !== undefined) return this.namedAsOf(name, asOf)[0];
    return this.#byName.has(name) ? this.#byName.get(name) : this.#lookups.named.get(name);
  }

  namedAsOf(name: string, asOf: number): EntityRow[] {
    return isStorable(name) ? this.#lookups.namedAsOf.at(asOf).get(name) : [];
  }

  byId(id: number, asOf?: number): EntityRow | undefined {
    if (asOf === undefined && this.#byId.has(id)) return this.#byId.get(id);
    return this.#lookups.byId.at(asOf).get(id);
  }

  withKey(key: string, most = Number.POSITIVE_INFINITY): EntityRow[] {
    const stored = this.#lookups.withKey.get(key).filter(({ id }) => !this.#byId.has(id));
    return [...stored, ...(this.#addedByKey.get(key) ?? [])].slice(0, most);
  }

  namesByKey(start: string, most: number): string[] {
    const found = this.#lookups.namesByKey.get(keyOf(start, `${start}\u{10ffff}`, most));
    return found.map(({ name }) => name).filter((name) => !this.#isGone(name));
  }

  keysFrom(start: string, most: number): string[] {
    return this.#lookups.keysFrom.get(keyOf(start, `${start}\u{10ffff}`, most)).map(({ key }) => key);
  }

  formerlyNamed(name: string, most: number): string[] {
    return this.#lookups.formerlyNamed
      .get(keyOf(name, most))
      .map((row) => row.name)
      .filter((present) => !this.#isGone(present));
  }

  formerNames(most: number): string[] {
    return this.#lookups.formerNames.get(keyOf(most)).map(({ past }) => past);
  }

  lastEnded(most: number): EndedName[] {
    return this.#lookups.lastEnded.get(keyOf(most));
  }

  newest(most: number): { id: number; name: string; created: number }[] {
    return this.#lookups.newest.get(keyOf(most));
  }

  *createdAfter(id: number, hasTexts: boolean): Generator<EntityRow> {
    const lookup = hasTexts ? this.#lookups.afterWithTexts : this.#lookups.after;
    for (const { texts, ...row } of pages(lookup, id, keyOf, (row) => row.id)) yield { ...row, ...(texts && { texts }) };
  }

  ofType(type: string): Iterable<EntityRow> {
    return pages(
      this.#lookups.ofType,
      0,
      (position, size) => keyOf(type, position, size),
      ({ id }) => id,
    );
  }

  typeCounts(most: number): Counted[] {
    return this.#lookups.typeCounts.get(keyOf(most));
  }

  versions(name: string): EntityVersion[] {
    return isStorable(name) ? this.#lookups.versions.get(keyOf(name)) : [];
  }

  isNewWithin(id: number, first: number, end: number): boolean {
    return this.#lookups.isNew.get(keyOf(id, first, end)).length > 0;
  }

  insert(seq: number, { name, entityType, extra }: NewEntityRow): number {
    const type = this.#typeId(entityType);
    const id = this.#pending.insertEntity({ name, key: similarityKey(name), type, created: seq, extra: extra ?? null });
    this.#add({ id, name, type: entityType, extra: extra ?? null });
    return id;
  }

  end(seq: number, { id, name }: Pick<EntityRow, "id" | "name">): void {
    this.#pending.endEntity(id, seq);
    this.#remove(id, name);
  }

  rename(seq: number, entity: EntityRow, newName: string): void {
    this.#pending.rename(seq, entity, newName, similarityKey(newName));
    this.#remove(entity.id, entity.name);
    this.#add({ ...entity, name: newName });
  }

  changeType(seq: number, entity: EntityRow, newType: string): void {
    if (entity.type === newType) return;
    this.#pending.changeType(seq, entity, newType, this.#typeId(newType));
    const changed = { ...entity, type: newType };
    this.#byName.set(entity.name, changed);
    this.#byId.set(entity.id, changed);
  }

  mergeInto(seq: number, from: EntityRow, into: EntityRow): void {
    this.end(seq, from);
    this.#pending.moveMerged(seq, from, into);
  }

  setExtra(id: number, extra: string): void {
    this.#pending.statement("update entity set extra = $1 where id = $2", extra, id);
    const entity = this.byId(id);
    if (entity === undefined) return;
    this.#byName.set(entity.name, { ...entity, extra });
    this.#byId.set(id, { ...entity, extra });
  }

  /** The id of a type; a new one gets its id when it is written. */
  #typeId(name: string): number {
    return this.#pending.typeId(name, this.#lookups.types.get(name));
  }

  #add(entity: EntityRow): void {
    this.#byName.set(entity.name, entity);
    this.#byId.set(entity.id, entity);
    const key = similarityKey(entity.name);
    this.#addedByKey.set(key, [...(this.#addedByKey.get(key) ?? []), entity]);
  }

  #remove(id: number, name: string): void {
    this.#byName.set(name, undefined);
    this.#byId.set(id, undefined);
    const key = similarityKey(name);
    const added = this.#addedByKey.get(key);
    if (added !== undefined)
      this.#addedByKey.set(
        key,
        added.filter((one) => one.id !== id),
      );
  }

  #isGone(name: string): boolean {
    return this.#byName.has(name) && this.#byName.get(name) === undefined;
  }
}
