// Counts of the whole graph in Postgres.
import type { Counted } from "../../../graph/model.ts";
import type { FigureLimits, Figures } from "../../../graph/rows/rows.ts";
import type { PostgresConnection } from "../engine/postgres-connection.ts";

const LARGEST = `select e.name, o.count from (
    select entity, count(*) from observation where ended is null group by entity order by count desc limit $1) o
  join entity e on e.id = o.entity order by o.count desc, e.name`;

/** Compared by hashes in one pass. */
const ENDS = "select source as name from relation where ended is null union select target from relation where ended is null";
const ORPHANS = `select count(*) from entity e where e.ended is null and not exists (select 1 from (${ENDS}) n where n.name = e.name)`;
const DANGLING = `select count(*) from (${ENDS}) n where not exists (select 1 from entity e where e.name = n.name and e.ended is null)`;

const DUPLICATES = `select (select json_agg(name order by id) from (
    select name, id from entity e where e.key = d.key and e.ended is null order by id limit $2) names) as names
  from (select key, count(*) from entity where ended is null group by key having count(*) > 1 order by count desc, key limit $1) d
  order by d.count desc, d.key`;

export async function countFigures(sql: PostgresConnection, { largest, duplicates, namesOfDuplicates }: FigureLimits): Promise<Figures> {
  const count = async (select: string): Promise<number> => (await sql.get<{ count: number }>(select))?.count ?? 0;
  return {
    observations: await count("select count(*) from observation where ended is null"),
    largest: await sql.all<Counted>(LARGEST, largest),
    orphans: await count(ORPHANS),
    dangling: await count(DANGLING),
    duplicates: (await sql.all<{ names: string[] }>(DUPLICATES, duplicates, namesOfDuplicates)).map(({ names }) => names),
    lastChange: (await sql.get<{ at: number }>("select at from call order by seq desc limit 1"))?.at,
  };
}
