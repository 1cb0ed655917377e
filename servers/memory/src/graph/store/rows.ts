// Rows of entities, observations and relations: reads and writes them, and keeps the text indexes in step.
import { similarityKey } from "../text-index/normalization.ts";
import { isStorable } from "../validation.ts";
import type { Store } from "./store.ts";

export interface EntityRow {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  /** The observations, where they were read together with the entity. */
  readonly texts?: readonly string[];
}

export interface ObservationRow {
  readonly id: number;
  readonly text: string;
  /** The call that recorded it. */
  readonly created: number;
}

export interface RelationRow {
  readonly id: number;
  readonly source: string;
  readonly target: string;
  readonly type: string;
}

const selectEntity = (type: string): string => `SELECT e.id, e.name, ${type} AS type FROM entity e JOIN type t ON t.id = e.type`;

/** Selects an EntityRow; needs a WHERE clause on `e`. */
export const SELECT_ENTITY = selectEntity("t.name");

const CURRENT = `${SELECT_ENTITY} WHERE e.name = ?1 AND e.ended IS NULL`;
/** The type as of call ?2: the old value of the first type change after it. */
const SELECT_AS_OF = selectEntity(
  "ifnull((SELECT past FROM turn WHERE entity = e.id AND kind = 'type' AND seq > ?2 ORDER BY id LIMIT 1), t.name)",
);
const AS_OF = `${SELECT_AS_OF} WHERE e.name = ?1 AND e.ended IS NULL AND e.created <= ?2
  UNION ALL ${SELECT_AS_OF} WHERE e.name = ?1 AND e.ended > ?2 AND e.created <= ?2`;
const BY_ID_AS_OF = `${SELECT_AS_OF} WHERE e.id = ?1 AND e.created <= ?2 AND (e.ended IS NULL OR e.ended > ?2)`;

/** The entity with this name, now or as of the call `asOf`. `name` is the present name. */
export function findEntity(store: Store, name: string, asOf?: number): EntityRow | undefined {
  if (!isStorable(name)) return undefined;
  return asOf === undefined ? store.get<EntityRow>(CURRENT, name) : store.get<EntityRow>(AS_OF, name, asOf);
}

/** Entities of a call `asOf` that have this name today, or had it when they ended. */
export const entitiesAsOf = (store: Store, name: string, asOf: number): EntityRow[] =>
  isStorable(name) ? store.all<EntityRow>(AS_OF, name, asOf) : [];

/** The entity with this id, now or as of the call `asOf`. */
export const findEntityById = (store: Store, id: number, asOf?: number): EntityRow | undefined =>
  asOf === undefined
    ? store.get<EntityRow>(`${SELECT_ENTITY} WHERE e.id = ? AND e.ended IS NULL`, id)
    : store.get<EntityRow>(BY_ID_AS_OF, id, asOf);

/** Rows read by one query. Reading row by row takes twice as long, and all rows together may not fit into memory. */
const CHUNK_ROWS = 256;
/** Longer texts are read one by one, so that a chunk stays small. */
const MAX_CHUNK_TEXT_BYTES = 2000;

/** Rows with higher ids than `id`, which is their first column, chunk by chunk. */
function* chunksAfter<Row extends [id: number, ...unknown[]]>(store: Store, sql: string, id: number): Generator<Row[]> {
  for (let last: number | undefined = id; last !== undefined;) {
    const rows: Row[] = store.tuples(`${sql} LIMIT ${CHUNK_ROWS}`, last);
    yield rows;
    last = rows.length < CHUNK_ROWS ? undefined : rows.at(-1)?.[0];
  }
}

/** Current entities with higher ids, in the order of their creation. */
export function* entitiesAfter(store: Store, id: number): Generator<EntityRow> {
  const sql = `${SELECT_ENTITY} WHERE e.id > ? AND e.ended IS NULL ORDER BY e.id`;
  for (const rows of chunksAfter<[number, string, string]>(store, sql, id)) for (const [id, name, type] of rows) yield { id, name, type };
}

/** Current relations with higher ids, in the order of their creation. */
export function* relationsAfter(store: Store, id: number): Generator<RelationRow> {
  const sql = "SELECT id, source, target, type FROM relation WHERE id > ? AND ended IS NULL ORDER BY id";
  for (const rows of chunksAfter<[number, string, string, string]>(store, sql, id))
    for (const [id, source, target, type] of rows) yield { id, source, target, type };
}

/** Current entities with their observations, where these are short and few. One query for each entity would take far longer. */
export function* entitiesWithTextsAfter(store: Store, id: number): Generator<EntityRow> {
  let chunk = observationChunkAfter(store, id);
  for (const row of entitiesAfter(store, id)) {
    if (row.id > chunk.lastCompleteEntity) chunk = observationChunkAfter(store, row.id - 1);
    const texts = row.id > chunk.lastCompleteEntity ? undefined : (chunk.texts.get(row.id) ?? []);
    yield texts === undefined || texts.includes(null) ? row : { ...row, texts: texts as string[] }; // without null, as tested
  }
}

interface ObservationChunk {
  /** By entity; null stands for a long text. */
  readonly texts: ReadonlyMap<number, (string | null)[]>;
  /** The last entity all of whose observations are in the chunk. */
  readonly lastCompleteEntity: number;
}

function observationChunkAfter(store: Store, entity: number): ObservationChunk {
  const rows = store.tuples<[number, string | null]>(
    `SELECT entity, CASE WHEN octet_length(text) <= ${MAX_CHUNK_TEXT_BYTES} THEN text END FROM observation INDEXED BY observation_entity
     WHERE entity > ? AND ended IS NULL ORDER BY entity, id LIMIT ${CHUNK_ROWS}`,
    entity,
  );
  const texts = new Map<number, (string | null)[]>();
  for (const [id, text] of rows) {
    const ofEntity = texts.get(id);
    if (ofEntity === undefined) texts.set(id, [text]);
    else ofEntity.push(text);
  }
  const lastCompleteEntity = rows.length < CHUNK_ROWS ? Number.POSITIVE_INFINITY : (rows.at(-1)?.[0] ?? 0) - 1;
  return { texts, lastCompleteEntity };
}

/** Current observations of an entity, oldest first. */
export const observationsOf = (store: Store, entity: number): ObservationRow[] =>
  store.all<ObservationRow>("SELECT id, text, created FROM observation WHERE entity = ? AND ended IS NULL ORDER BY id", entity);

/** Observations of an entity as of a call, oldest first. */
export const observationsAsOf = (store: Store, entity: number, asOf: number): ObservationRow[] =>
  store.all<ObservationRow>(
    `SELECT id, text, created FROM observation WHERE entity = ?1 AND ended IS NULL AND created <= ?2
     UNION ALL SELECT id, text, created FROM observation WHERE entity = ?1 AND ended > ?2 AND created <= ?2 ORDER BY id`,
    entity,
    asOf,
  );

/** The id of a type, which is created where it is new. */
export function typeId(store: Store, name: string): number {
  const known = store.get<{ id: number }>("SELECT id FROM type WHERE name = ?", name);
  if (known !== undefined) return known.id;
  const id = store.insert("INSERT INTO type (name) VALUES (?)", name);
  store.textIndex.add("type", id, name);
  return id;
}

export interface NewEntityRow {
  name: string;
  entityType: string;
  /** Unknown fields of its record in the JSONL file, as a JSON object. */
  extra?: string | undefined;
}

export function insertEntity(store: Store, seq: number, { name, entityType, extra }: NewEntityRow): number {
  const id = store.insert(
    "INSERT INTO entity (name, key, type, created, extra) VALUES (?, ?, ?, ?, ?)",
    name,
    similarityKey(name),
    typeId(store, entityType),
    seq,
    extra ?? null,
  );
  store.textIndex.add("name", id, name);
  return id;
}

export function insertObservation(store: Store, seq: number, entity: number, text: string): number {
  const id = store.insert("INSERT INTO observation (entity, text, created) VALUES (?, ?, ?)", entity, text, seq);
  store.textIndex.add("observation", id, text);
  return id;
}

/** `extra`: unknown fields of its record in the JSONL file, as a JSON object. */
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

export const hasRelation = (store: Store, from: string, to: string, relationType: string): boolean =>
  store.get("SELECT 1 FROM relation WHERE source = ? AND target = ? AND type = ? AND ended IS NULL", from, to, relationType) !== undefined;

/** Ends an entity with all its observations, but not its relations. May pause after each observation. */
export function* endEntity(store: Store, seq: number, { id, name }: { id: number; name: string }): Generator<void> {
  store.run("UPDATE entity SET ended = ? WHERE id = ?", seq, id);
  store.textIndex.remove("name", id, name);
  for (const observation of observationsOf(store, id)) {
    endObservation(store, seq, observation);
    yield;
  }
}

/** `successor`: the observation that replaces it. */
export function endObservation(store: Store, seq: number, { id, text }: Pick<ObservationRow, "id" | "text">, successor?: number): void {
  store.run("UPDATE observation SET ended = ?, successor = ? WHERE id = ?", seq, successor ?? null, id);
  store.textIndex.remove("observation", id, text);
}

/** Returns how many relations ended: 0 or 1. */
export const endRelation = (store: Store, seq: number, id: number): number =>
  store.run("UPDATE relation SET ended = ? WHERE id = ? AND ended IS NULL", seq, id);
