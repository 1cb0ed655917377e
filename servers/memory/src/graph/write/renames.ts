// Renames entities and changes their types. The row is updated, and the table `turn` keeps the old value and the call.
import { typeId, type EntityRow } from "../store/rows.ts";
import type { Store } from "../store/store.ts";
import { similarityKey } from "../text-index/normalization.ts";

/** What changed: the name, the type, or another entity was merged into this one. Stored. */
export type EntityChangeKind = "name" | "type" | "merged";

export function logEntityChange(store: Store, seq: number, entity: number, kind: EntityChangeKind, past: string, present: string): void {
  store.insert("INSERT INTO turn (seq, entity, kind, past, present) VALUES (?, ?, ?, ?, ?)", seq, entity, kind, past, present);
}

export function changeType(store: Store, seq: number, { id, type }: EntityRow, newType: string): void {
  if (type === newType) return;
  store.run("UPDATE entity SET type = ? WHERE id = ?", typeId(store, newType), id);
  logEntityChange(store, seq, id, "type", type, newType);
}

/** No entity may have the new name. Relations follow, past ones too. */
export function rename(store: Store, seq: number, { id, name }: EntityRow, newName: string): void {
  store.run("UPDATE entity SET name = ?, key = ? WHERE id = ?", newName, similarityKey(newName), id);
  store.textIndex.remove("name", id, name);
  store.textIndex.add("name", id, newName);
  logEntityChange(store, seq, id, "name", name, newName);
  moveRelations(store, seq, { id, name }, newName);
}

/**
 * Logs which relations of an entity a merge is about to move, so that they can be read as they were: for each end `source` or `target` a
 * row of `turn` with the negative id of the relation in place of an entity.
 */
export function logMovedRelations(store: Store, seq: number, { id, name }: Pick<EntityRow, "id" | "name">, newName: string): void {
  const created = firstCallOf(store, id);
  for (const end of ["source", "target"]) {
    const insert = `INSERT INTO turn (seq, entity, kind, past, present) SELECT ?1, -id, '${end}', ?2, ?3 FROM relation WHERE ${end} = ?2`;
    store.run(`${insert} AND ended IS NULL ORDER BY id`, seq, name, newName);
    store.run(`${insert} AND ended > ?4 ORDER BY id`, seq, name, newName, created);
  }
}

/**
 * Moves the relations of an entity to another name. A relation that exists there already ends instead. Relations of an earlier entity with
 * the same name stay with that entity.
 */
export function moveRelations(store: Store, seq: number, { id, name }: Pick<EntityRow, "id" | "name">, newName: string): void {
  const created = firstCallOf(store, id);
  for (const [end, otherEnd] of [
    ["source", "target"],
    ["target", "source"],
  ] as const) {
    store.run(
      `UPDATE relation SET ended = ? WHERE ${end} = ? AND ended IS NULL AND EXISTS (
         SELECT 1 FROM relation r WHERE r.ended IS NULL AND r.${end} = ? AND r.${otherEnd} = relation.${otherEnd} AND r.type = relation.type)`,
      seq,
      name,
      newName,
    );
    store.run(`UPDATE relation SET ${end} = ? WHERE ${end} = ? AND ended IS NULL`, newName, name);
    store.run(`UPDATE relation SET ${end} = ? WHERE ${end} = ? AND ended > ?`, newName, name, created);
  }
}

/** The call that created the entity, or the oldest entity that was merged into it: relations that ended before are not its own. */
const firstCallOf = (store: Store, id: number): number =>
  store.get<{ first: number }>(
    `WITH RECURSIVE own (id, created) AS (SELECT id, created FROM entity WHERE id = ?
       UNION SELECT e.id, e.created FROM own JOIN turn t ON t.entity = own.id AND t.kind = 'merged'
       JOIN entity e ON e.name = t.past AND e.ended = t.seq)
     SELECT min(created) AS first FROM own`,
    id,
  )?.first ?? 0;
