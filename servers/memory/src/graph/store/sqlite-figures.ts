// Counts of the whole graph in SQLite.
import type { Counted } from "../model.ts";
import type { FigureLimits, Figures, Totals } from "../rows/rows.ts";
import type { SqlConnection } from "../sqlite/sql-connection.ts";

const countOf = (sql: SqlConnection, select: string): number => sql.get<{ count: number }>(select)?.count ?? 0;

export const countTotals = (sql: SqlConnection): Totals => ({
  entities: countOf(sql, "SELECT count(*) AS count FROM entity INDEXED BY entity_name WHERE ended IS NULL"),
  relations: countOf(sql, "SELECT count(*) AS count FROM relation INDEXED BY relation_ends WHERE ended IS NULL"),
});

const LARGEST = `SELECT e.name AS name, o.count AS count FROM (
    SELECT entity, count(*) AS count FROM observation INDEXED BY observation_entity WHERE ended IS NULL
    GROUP BY entity ORDER BY count DESC LIMIT ?) o JOIN entity e ON e.id = o.entity ORDER BY o.count DESC, e.name`;

const ORPHANS = `SELECT count(*) AS count FROM entity e INDEXED BY entity_name WHERE e.ended IS NULL
  AND NOT EXISTS (SELECT 1 FROM relation r WHERE r.source = e.name AND r.ended IS NULL)
  AND NOT EXISTS (SELECT 1 FROM relation r WHERE r.target = e.name AND r.ended IS NULL)`;

const DANGLING = `SELECT count(*) AS count FROM (
    SELECT source AS name FROM relation WHERE ended IS NULL UNION SELECT target FROM relation WHERE ended IS NULL) n
  WHERE NOT EXISTS (SELECT 1 FROM entity e WHERE e.name = n.name AND e.ended IS NULL)`;

const DUPLICATES = `SELECT key FROM entity INDEXED BY entity_key WHERE ended IS NULL
  GROUP BY key HAVING count(*) > 1 ORDER BY count(*) DESC, key LIMIT ?`;

export function countFigures(sql: SqlConnection, limits: FigureLimits): Figures {
  const select = "SELECT name FROM entity WHERE key = ? AND ended IS NULL ORDER BY id LIMIT ?";
  const namesOf = ({ key }: { key: string }): string[] =>
    sql.all<{ name: string }>(select, key, limits.namesOfDuplicates).map(({ name }) => name);
  return {
    observations: countOf(sql, "SELECT count(*) AS count FROM observation INDEXED BY observation_entity WHERE ended IS NULL"),
    largest: sql.all<Counted>(LARGEST, limits.largest),
    orphans: countOf(sql, ORPHANS),
    dangling: countOf(sql, DANGLING),
    duplicates: sql.all<{ key: string }>(DUPLICATES, limits.duplicates).map(namesOf),
    lastChange: sql.get<{ at: number }>("SELECT at FROM call ORDER BY seq DESC LIMIT 1")?.at,
  };
}
