// verify on Postgres: checks the rows of the memory, and changes nothing.
import { counted } from "@oarlock/domain-kit";
import type { PostgresGraph } from "../postgres-graph.ts";

/** Each counts what should not be there. */
const CHECKS: readonly (readonly [problem: string, sql: string])[] = [
  ["name that two entities have", "select count(*) from (select 1 from entity where ended is null group by name having count(*) > 1) d"],
  [
    "observation without an entity",
    "select count(*) from observation where ended is null and entity not in (select id from entity where ended is null)",
  ],
  [
    "row of a call that is not logged",
    `select count(*) from (select created as seq from entity union all select created from observation union all select created from relation) r
     where not exists (select 1 from call where call.seq = r.seq)`,
  ],
  [
    "number missing in the log of calls",
    "select graph.seq - count(call.seq) as count from graph left join call on true group by graph.seq",
  ],
  [
    "wrong total",
    `select (entities <> (select count(*) from entity where ended is null))::int
       + (relations <> (select count(*) from relation where ended is null))::int as count from graph`,
  ],
  [
    "id above its counter",
    `select ((select coalesce(max(id), 0) from entity) > entity_id)::int + ((select coalesce(max(id), 0) from observation) > observation_id)::int
       + ((select coalesce(max(id), 0) from relation) > relation_id)::int as count from graph`,
  ],
];

/** Returns the exit code: 1 where there are problems. */
export async function verifyPostgres(graph: PostgresGraph, writeLine: (line: string) => void): Promise<number> {
  const { entities, relations } = await graph.read((rows) => rows.totals());
  writeLine(`The database has ${counted(entities, "entity", "entities")} and ${counted(relations, "relation")}.`);
  const problems = await graph.engine.transaction({}, async (sql) => {
    const found: string[] = [];
    for (const [problem, select] of CHECKS) {
      const count = (await sql.get<{ count: number }>(select))?.count ?? 0;
      if (count > 0) found.push(counted(count, problem, `times: ${problem}`));
    }
    return found;
  });
  for (const problem of problems) writeLine(`Problem: ${problem}`);
  writeLine(problems.length === 0 ? "No problems found." : `${counted(problems.length, "problem")} found.`);
  return problems.length === 0 ? 0 : 1;
}
