// Purges entities, observations and relations in Postgres: removes their rows with all history. Postgres removes their bytes with its next
// VACUUM; its backups and replicas keep them.
import { reportChange } from "@oarlock/domain-kit";
import type { Purge } from "../../../graph/graph.ts";
import type { Relation } from "../../../graph/model.ts";
import { isStorable } from "../../../graph/validation.ts";
import type { DeletedCounts, ObservationDeletion } from "../../../graph/write/deletion.ts";
import type { GraphState } from "./graph-state.ts";
import type { PostgresConnection } from "../engine/postgres-connection.ts";

const hasName = (column: string): string => `md5(${column}) = md5($1) and ${column} = $1`;

/** Entities that have or had the name, and those that were merged into them, whose observations became observations of the named one. */
const VERSIONS = `with recursive version (id) as (
    select id from entity where ${hasName("name")} and ended is null
    union select id from entity where ${hasName("name")} and ended is not null
    union select e.id from version v join turn t on t.entity = v.id and t.kind = 'merged'
      join entity e on md5(e.name) = md5(t.past) and e.name = t.past and e.ended = t.seq)
  select id from version`;

/** Counts what is removed, and changes the totals of `state`. */
export async function purge(sql: PostgresConnection, state: GraphState, what: Purge): Promise<DeletedCounts> {
  const counts =
    what.kind === "entities"
      ? await purgeEntities(sql, state, what.names)
      : what.kind === "observations"
        ? await purgeObservations(sql, what.deletions)
        : await purgeRelations(sql, state, what.relations);
  if (Object.values(counts).some((count) => count > 0)) {
    await sql.run("delete from turn where kind in ('source', 'target') and not exists (select 1 from relation where id = -turn.entity)");
    await sql.run("delete from type where not exists (select 1 from entity where type = type.id)");
  }
  return counts;
}

async function purgeEntities(sql: PostgresConnection, state: GraphState, names: readonly string[]): Promise<DeletedCounts> {
  const counts: DeletedCounts = { entities: 0, observations: 0, relations: 0 };
  let formerNames = 0;
  for (const name of new Set(names)) {
    if (!isStorable(name)) continue;
    const ids = (await sql.all<{ id: number }>(VERSIONS, name)).map(({ id }) => id);
    if (ids.length > 0) reportChange([name]);
    counts.observations += await sql.run("delete from observation where entity = any($1::bigint[])", ids);
    await sql.run("delete from turn where entity = any($1::bigint[])", ids);
    const ended = await sql.all<{ ended: number | null }>("delete from entity where id = any($1::bigint[]) returning ended", ids);
    counts.entities += ended.length;
    state.entities -= countCurrent(ended);
    const named = `(${hasName("past")} or present = $1)`;
    await sql.run(`delete from turn where ${named} and kind in ('source', 'target')`, name);
    // Renames of other entities from or to this name, and its merge into another entity.
    formerNames += await sql.run(`delete from turn where ${named} and kind <> 'type'`, name);
    for (const end of ["source", "target"]) counts.relations += await removeRelations(sql, state, hasName(end), name);
  }
  return { ...counts, ...(formerNames > 0 && { formerNames }) };
}

async function purgeObservations(sql: PostgresConnection, deletions: readonly ObservationDeletion[]): Promise<DeletedCounts> {
  let observations = 0;
  for (const { entityName, observations: texts } of deletions) {
    if (!isStorable(entityName)) continue;
    const ids = (await sql.all<{ id: number }>(VERSIONS, entityName)).map(({ id }) => id);
    const wanted = texts.filter((text) => isStorable(text));
    const removed = await sql.run("delete from observation where entity = any($1::bigint[]) and text = any($2::text[])", ids, wanted);
    if (removed > 0) reportChange([entityName]);
    observations += removed;
  }
  return { entities: 0, observations, relations: 0 };
}

async function purgeRelations(sql: PostgresConnection, state: GraphState, wanted: readonly Relation[]): Promise<DeletedCounts> {
  let relations = 0;
  for (const { from, to, relationType } of wanted) {
    if (!isStorable(from, to, relationType)) continue;
    const removed = await removeRelations(sql, state, `${hasName("source")} and target = $2 and type = $3`, from, to, relationType);
    if (removed > 0) reportChange([from, to, relationType]);
    relations += removed;
  }
  return { entities: 0, observations: 0, relations };
}

/** In two statements, because current and past relations have indexes of their own. */
async function removeRelations(sql: PostgresConnection, state: GraphState, where: string, ...values: string[]): Promise<number> {
  const current = await sql.run(`delete from relation where ${where} and ended is null`, ...values);
  state.relations -= current;
  return current + (await sql.run(`delete from relation where ${where} and ended is not null`, ...values));
}

const countCurrent = (rows: readonly { ended: number | null }[]): number => rows.filter(({ ended }) => ended === null).length;
