// The rows that everything else reads and writes: one statement each, and the indexes kept in step with the tables.
import { keyOf } from "./fold.ts";
import type { Store } from "./store.ts";

export interface EntityRow {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  /** Its observations, where they came along. */
  readonly texts?: readonly string[];
}

export interface RelationRow {
  readonly id: number;
  readonly source: string;
  readonly target: string;
  readonly type: string;
}

const ENTITY = "SELECT e.id, e.name, t.name AS type FROM entity e JOIN type t ON t.id = e.type";

export const entityNamed = (store: Store, name: string): EntityRow | undefined =>
  store.get<EntityRow>(`${ENTITY} WHERE e.name = ? AND e.ended IS NULL`, name);

export const entityOf = (store: Store, id: number): EntityRow | undefined =>
  store.get<EntityRow>(`${ENTITY} WHERE e.id = ? AND e.ended IS NULL`, id);

/** In the order in which they came, behind an id. */
export const entitiesAfter = (store: Store, id: number): Generator<EntityRow> =>
  store.each<EntityRow>(`${ENTITY} WHERE e.id > ? AND e.ended IS NULL ORDER BY e.id`, id);

/** The same with their observations: one walk beside the other is a fraction of asking for each. */
export function* entitiesWithTextsAfter(store: Store, id: number): Generator<EntityRow> {
  const all = store.each<{ entity: number; text: string }>(
    "SELECT entity, text FROM observation INDEXED BY observation_entity WHERE entity > ? AND ended IS NULL ORDER BY entity, id",
    id,
  );
  try {
    let next = all.next();
    for (const row of entitiesAfter(store, id)) {
      const texts: string[] = [];
      for (; next.done !== true && next.value.entity <= row.id; next = all.next())
        if (next.value.entity === row.id) texts.push(next.value.text);
      yield { ...row, texts };
    }
  } finally {
    all.return(undefined);
  }
}

export interface ObservationRow {
  readonly id: number;
  readonly text: string;
}

export const observationsOf = (store: Store, entity: number): ObservationRow[] =>
  store.all<ObservationRow>("SELECT id, text FROM observation WHERE entity = ? AND ended IS NULL ORDER BY id", entity);

/** Gives the id of the type, which is made where it is new. */
export function typeId(store: Store, name: string): number {
  const known = store.get<{ id: number }>("SELECT id FROM type WHERE name = ?", name);
  if (known !== undefined) return known.id;
  const id = store.insert("INSERT INTO type (name) VALUES (?)", name);
  store.texts.add("type", id, name);
  return id;
}

export interface NewEntity {
  name: string;
  entityType: string;
  extra?: string | undefined;
}

export function insertEntity(store: Store, seq: number, { name, entityType, extra }: NewEntity): number {
  const id = store.insert(
    "INSERT INTO entity (name, key, type, created, extra) VALUES (?, ?, ?, ?, ?)",
    name,
    keyOf(name),
    typeId(store, entityType),
    seq,
    extra ?? null,
  );
  store.texts.add("name", id, name);
  return id;
}

export function insertObservation(store: Store, seq: number, entity: number, text: string): number {
  const id = store.insert("INSERT INTO observation (entity, text, created) VALUES (?, ?, ?)", entity, text, seq);
  store.texts.add("observation", id, text);
  return id;
}

export function insertRelation(store: Store, seq: number, source: string, target: string, type: string, extra?: string): number {
  return store.insert(
    "INSERT INTO relation (source, target, type, created, extra) VALUES (?, ?, ?, ?, ?)",
    source,
    target,
    type,
    seq,
    extra ?? null,
  );
}

/** An entity with all its observations; its relations are another matter. */
export function* endEntity(store: Store, seq: number, { id, name }: { id: number; name: string }): Generator<void> {
  store.run("UPDATE entity SET ended = ? WHERE id = ?", seq, id);
  store.texts.remove("name", id, name);
  for (const observation of observationsOf(store, id)) {
    endObservation(store, seq, observation);
    yield;
  }
}

export function endObservation(store: Store, seq: number, { id, text }: ObservationRow, successor?: number): void {
  store.run("UPDATE observation SET ended = ?, successor = ? WHERE id = ?", seq, successor ?? null, id);
  store.texts.remove("observation", id, text);
}

export const endRelation = (store: Store, seq: number, id: number): number =>
  store.run("UPDATE relation SET ended = ? WHERE id = ? AND ended IS NULL", seq, id);
