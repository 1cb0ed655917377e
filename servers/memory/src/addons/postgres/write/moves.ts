// Renames, new types and merges in Postgres: the row is updated, and the table `turn` keeps the old value and the call.
import type { EntityRow } from "../../../graph/rows/entities.ts";
import { fold } from "../../../graph/text-index/normalization.ts";
import type { PostgresConnection } from "../engine/postgres-connection.ts";

const hasName = (column: string, parameter: string): string => `md5(${column}) = md5(${parameter}) and ${column} = ${parameter}`;

const ENDS = [
  ["source", "target"],
  ["target", "source"],
] as const;

async function logChange(sql: PostgresConnection, seq: number, entity: number, kind: string, past: string, present: string): Promise<void> {
  await sql.run("insert into turn (seq, entity, kind, past, present) values ($1, $2, $3, $4, $5)", seq, entity, kind, past, present);
}

export async function changeType(sql: PostgresConnection, seq: number, entity: EntityRow, newType: string, typeId: number): Promise<void> {
  await sql.run("update entity set type = $1 where id = $2", typeId, entity.id);
  await logChange(sql, seq, entity.id, "type", entity.type, newType);
}

/** Returns how many relations ended. */
export async function rename(sql: PostgresConnection, seq: number, entity: EntityRow, newName: string, newKey: string): Promise<number> {
  await sql.run("update entity set name = $1, key = $2, folded = $3 where id = $4", newName, newKey, fold(newName), entity.id);
  await logChange(sql, seq, entity.id, "name", entity.name, newName);
  return await moveRelations(sql, seq, entity, newName);
}

/** Moves the relations of an entity that has ended to another one. Returns how many relations ended. */
export async function moveMerged(sql: PostgresConnection, seq: number, from: EntityRow, into: EntityRow): Promise<number> {
  // Relations between the two would relate the merged entity to itself.
  const endBetween = `update relation set ended = $1 where ${hasName("source", "$2")} and ${hasName("target", "$3")} and ended is null`;
  let ended = await sql.run(endBetween, seq, from.name, into.name);
  ended += await sql.run(endBetween, seq, into.name, from.name);
  const created = await firstCallOf(sql, from.id);
  // With negative ids of relations in place of entities.
  for (const [end] of ENDS) {
    const insert = `insert into turn (seq, entity, kind, past, present) select $1::bigint, -id, '${end}', $2::text, $3::text from relation where ${hasName(end, "$2")}`;
    await sql.run(`${insert} and ended is null order by id`, seq, from.name, into.name);
    await sql.run(`${insert} and ended > $4 order by id`, seq, from.name, into.name, created);
  }
  ended += await moveRelations(sql, seq, from, into.name);
  await logChange(sql, seq, into.id, "merged", from.name, into.name);
  return ended;
}

/**
 * A relation that exists at the other name already ends instead. Relations of an earlier entity with the same name stay with that entity.
 */
async function moveRelations(sql: PostgresConnection, seq: number, { id, name }: EntityRow, newName: string): Promise<number> {
  const created = await firstCallOf(sql, id);
  let ended = 0;
  for (const [end, otherEnd] of ENDS) {
    ended += await sql.run(
      `update relation set ended = $1 where ${hasName(end, "$2")} and ended is null and exists (
         select 1 from relation r where r.ended is null and ${hasName(`r.${end}`, "$3")}
           and md5(r.${otherEnd}) = md5(relation.${otherEnd}) and r.${otherEnd} = relation.${otherEnd} and r.type = relation.type)`,
      seq,
      name,
      newName,
    );
    await sql.run(`update relation set ${end} = $1 where ${hasName(end, "$2")} and ended is null`, newName, name);
    await sql.run(`update relation set ${end} = $1 where ${hasName(end, "$2")} and ended > $3`, newName, name, created);
  }
  return ended;
}

/** The call that created the entity, or the oldest entity that was merged into it: relations that ended before are not its own. */
async function firstCallOf(sql: PostgresConnection, id: number): Promise<number> {
  const row = await sql.get<{ first: number | null }>(
    `with recursive own (id, created) as (select id, created from entity where id = $1
       union select e.id, e.created from own join turn t on t.entity = own.id and t.kind = 'merged'
       join entity e on md5(e.name) = md5(t.past) and e.name = t.past and e.ended = t.seq)
     select min(created) as first from own`,
    id,
  );
  return row?.first ?? 0;
}
