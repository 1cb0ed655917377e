// Renames, new types and merges in SQLite: the row is updated, and the table `turn` keeps the old value and the call.
import type { EntityRow } from "../rows/entities.ts";
import type { SqlConnection } from "../sqlite/sql-connection.ts";

/** What changed: the name, the type, or another entity was merged into this one. Stored. */
export type EntityChangeKind = "name" | "type" | "merged";

export function logEntityChange(
  sql: SqlConnection,
  seq: number,
  entity: number,
  kind: EntityChangeKind,
  past: string,
  present: string,
): void {
  sql.insert("INSERT INTO turn (seq, entity, kind, past, present) VALUES (?, ?, ?, ?, ?)", seq, entity, kind, past, present);
}

/**
 * Logs which relations of an entity a merge is about to move, so that they can be read as they were: for each end `source` or `target` a
 * row of `turn` with the negative id of the relation in place of an entity.
 */
export function logMovedRelations(sql: SqlConnection, seq: number, { id, name }: Pick<EntityRow, "id" | "name">, newName: string): void {
  const created = firstCallOf(sql, id);
  for (const end of ["source", "target"]) {
    const insert = `INSERT INTO turn (seq, entity, kind, past, present) SELECT ?1, -id, '${end}', ?2, ?3 FROM relation WHERE ${end} = ?2`;
    sql.run(`${insert} AND ended IS NULL ORDER BY id`, seq, name, newName);
    sql.run(`${insert} AND ended > ?4 ORDER BY id`, seq, name, newName, created);
  }
}

/**
 * Moves the relations of an entity to another name. A relation that exists there already ends instead. Relations of an earlier entity with
 * the same name stay with that entity.
 */
export function moveRelations(sql: SqlConnection, seq: number, { id, name }: Pick<EntityRow, "id" | "name">, newName: string): void {
  const created = firstCallOf(sql, id);
  for (const [end, otherEnd] of [
    ["source", "target"],
    ["target", "source"],
  ] as const) {
    sql.run(
      `UPDATE relation SET ended = ? WHERE ${end} = ? AND ended IS NULL AND EXISTS (
         SELECT 1 FROM relation r WHERE r.ended IS NULL AND r.${end} = ? AND r.${otherEnd} = relation.${otherEnd} AND r.type = relation.type)`,
      seq,
      name,
      newName,
    );
    sql.run(`UPDATE relation SET ${end} = ? WHERE ${end} = ? AND ended IS NULL`, newName, name);
    sql.run(`UPDATE relation SET ${end} = ? WHERE ${end} = ? AND ended > ?`, newName, name, created);
  }
}

/** The call that created the entity, or the oldest entity that was merged into it: relations that ended before are not its own. */
const firstCallOf = (sql: SqlConnection, id: number): number =>
  sql.get<{ first: number }>(
    `WITH RECURSIVE own (id, created) AS (SELECT id, created FROM entity WHERE id = ?
       UNION SELECT e.id, e.created FROM own JOIN turn t ON t.entity = own.id AND t.kind = 'merged'
       JOIN entity e ON e.name = t.past AND e.ended = t.seq)
     SELECT min(created) AS first FROM own`,
    id,
  )?.first ?? 0;
