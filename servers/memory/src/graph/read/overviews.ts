// Parts of the graph for those who look without asking anything: what is new, all of one type, all of one relation, names.
import { relationsOf } from "./neighbourhood.ts";
import { idsWith } from "../search/candidates.ts";
import type { Relation } from "../model.ts";
import { fold, keyOf } from "../text-index/normalization.ts";
import { ENTITY, entityOf, type EntityRow, type RelationRow } from "../store/rows.ts";
import type { Store } from "../store/store.ts";
import { Filling, type ShownEntity } from "./page-builder.ts";
import { thoseThatFit, weighRelation } from "./json-size.ts";

export interface Part {
  entities: ShownEntity[];
  relations: Relation[];
  /** More would not fit. */
  truncated?: true;
}

const RECENT = 25;
/** Facts that are looked through for what is new. */
const NEWEST = 500;

/** Entities with the newest facts, newest first, in short. */
export function recent(store: Store, room: number): Part {
  return store.read(() => {
    const ids = new Map<number, number>();
    const add = (entity: number, seq: number): void => void ids.set(entity, Math.max(ids.get(entity) ?? 0, seq));
    for (const { id, created } of store.all<{ id: number; created: number }>(
      "SELECT id, created FROM entity WHERE ended IS NULL ORDER BY id DESC LIMIT ?",
      RECENT,
    ))
      add(id, created);
    const facts = "SELECT entity, created FROM observation WHERE ended IS NULL ORDER BY id DESC LIMIT ?";
    for (const { entity, created } of store.all<{ entity: number; created: number }>(facts, NEWEST)) add(entity, created);
    const rows = [...ids]
      .sort(([a, seqA], [b, seqB]) => seqB - seqA || b - a)
      .slice(0, RECENT)
      .flatMap(([id]) => entityOf(store, id) ?? []);
    return partOf(store, rows, room, "summary");
  });
}

export function ofType(store: Store, type: string, room: number): Part | undefined {
  return store.read(() => {
    const id = store.get<{ id: number }>("SELECT id FROM type WHERE name = ?", type)?.id;
    if (id === undefined) return undefined;
    const rows = store.each<EntityRow>(`${ENTITY} WHERE e.type = ? AND e.ended IS NULL ORDER BY e.id`, id);
    const part = partOf(store, rows, room, "full");
    return part.entities.length === 0 ? undefined : part;
  });
}

function partOf(store: Store, rows: Iterable<EntityRow>, room: number, detail: "full" | "summary"): Part {
  const filling = new Filling(store, room * 0.75, { detail });
  let truncated = false;
  for (const row of rows) {
    truncated = !filling.add(row).done;
    if (truncated) break;
  }
  const names = filling.entities.map(({ name }) => name);
  const { relations, omitted } = relationsOf(store, names, { room: room * 0.2 + filling.room });
  return { entities: filling.entities, relations, ...((truncated || omitted > 0) && { truncated: true }) };
}

export function ofRelation(store: Store, type: string, room: number): Part | undefined {
  const rows = store.all<RelationRow>(
    "SELECT id, source, target, type FROM relation WHERE type = ? AND ended IS NULL ORDER BY id LIMIT 10000",
    type,
  );
  if (rows.length === 0) return undefined;
  const all = rows.map(({ source, target }): Relation => ({ from: source, to: target, relationType: type }));
  const relations = thoseThatFit(all, room, weighRelation);
  return { entities: [], relations, ...(relations.length < all.length && { truncated: true }) };
}

const MOST_NAMES = 101;

/** Names of entities for what was typed: those that begin so first, then those that hold it. */
export function completeName(store: Store, typed: string): string[] {
  return store.read(() => {
    if (typed === "")
      return store
        .all<{ name: string }>("SELECT name FROM entity WHERE ended IS NULL ORDER BY id DESC LIMIT ?", MOST_NAMES)
        .map(({ name }) => name);
    const found = new Set<string>();
    const key = keyOf(typed);
    const sql = "SELECT name FROM entity WHERE key >= ? AND key < ? AND ended IS NULL ORDER BY key LIMIT ?";
    for (const { name } of store.all<{ name: string }>(sql, key, `${key}\u{10ffff}`, MOST_NAMES)) found.add(name);
    const folded = fold(typed);
    let looked = 0;
    for (const id of idsWith(store, "name", folded)) {
      if (found.size >= MOST_NAMES || ++looked > 1000) break;
      const name = entityOf(store, id)?.name;
      if (name !== undefined && fold(name).includes(folded)) found.add(name);
    }
    return [...found];
  });
}

/** Types of entities, the commonest first. */
export const completeType = (store: Store, typed: string): string[] =>
  ranked(
    store.all<{ name: string }>(
      `SELECT t.name AS name FROM entity e INDEXED BY entity_type JOIN type t ON t.id = e.type WHERE e.ended IS NULL
       GROUP BY e.type ORDER BY count(*) DESC, t.name LIMIT 5000`,
    ),
    typed,
  );

export const completeRelation = (store: Store, typed: string): string[] =>
  ranked(
    store.all<{ name: string }>(
      "SELECT type AS name FROM relation WHERE ended IS NULL GROUP BY type ORDER BY count(*) DESC, type LIMIT 5000",
    ),
    typed,
  );

function ranked(rows: readonly { name: string }[], typed: string): string[] {
  const wanted = fold(typed);
  const names = rows.map(({ name }) => name).filter((name) => fold(name).includes(wanted));
  return [...names.filter((name) => fold(name).startsWith(wanted)), ...names.filter((name) => !fold(name).startsWith(wanted))];
}
