// What changes about an entity beside its facts: its name and its type. The row changes, and a turn tells what was before.
import { keyOf } from "../text-index/normalization.ts";
import { typeId, type EntityRow } from "../store/rows.ts";
import type { Store } from "../store/store.ts";

export type TurnKind = "name" | "type" | "merged";

export function addTurn(store: Store, seq: number, entity: number, kind: TurnKind, past: string, present: string): void {
  store.insert("INSERT INTO turn (seq, entity, kind, past, present) VALUES (?, ?, ?, ?, ?)", seq, entity, kind, past, present);
}

export function retype(store: Store, seq: number, { id, type }: EntityRow, entityType: string): void {
  if (type === entityType) return;
  store.run("UPDATE entity SET type = ? WHERE id = ?", typeId(store, entityType), id);
  addTurn(store, seq, id, "type", type, entityType);
}

/** The new name must be free. Relations follow, those of the past too. */
export function rename(store: Store, seq: number, { id, name }: EntityRow, newName: string): void {
  store.run("UPDATE entity SET name = ?, key = ? WHERE id = ?", newName, keyOf(newName), id);
  store.texts.remove("name", id, name);
  store.texts.add("name", id, newName);
  addTurn(store, seq, id, "name", name, newName);
  moveRelations(store, seq, { id, name }, newName);
}

/** Relations that would say twice what is said already end instead. Those of an earlier entity that had the name stay with that. */
export function moveRelations(store: Store, seq: number, { id, name }: Pick<EntityRow, "id" | "name">, newName: string): void {
  const first = firstCall(store, id);
  for (const [side, other] of [
    ["source", "target"],
    ["target", "source"],
  ] as const) {
    store.run(
      `UPDATE relation SET ended = ? WHERE ${side} = ? AND ended IS NULL AND EXISTS (
         SELECT 1 FROM relation r WHERE r.ended IS NULL AND r.${side} = ? AND r.${other} = relation.${other} AND r.type = relation.type)`,
      seq,
      name,
      newName,
    );
    store.run(`UPDATE relation SET ${side} = ? WHERE ${side} = ? AND ended IS NULL`, newName, name);
    store.run(`UPDATE relation SET ${side} = ? WHERE ${side} = ? AND ended > ?`, newName, name, first);
  }
}

/** The call that made the entity, or the first of those that went into it: relations that had ended by then are not its own. */
const firstCall = (store: Store, id: number): number =>
  store.get<{ first: number }>(
    `WITH RECURSIVE own (id, created) AS (SELECT id, created FROM entity WHERE id = ?
       UNION SELECT e.id, e.created FROM own JOIN turn t ON t.entity = own.id AND t.kind = 'merged'
       JOIN entity e ON e.name = t.past AND e.ended = t.seq)
     SELECT min(created) AS first FROM own`,
    id,
  )?.first ?? 0;
