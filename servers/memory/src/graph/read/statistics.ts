// What the memory holds, in a few lines: the cheap first look.
import { totals } from "./graph-page.ts";
import type { Store } from "../store/store.ts";

export interface Stats {
  entities: number;
  relations: number;
  observations: number;
  entityTypes: Counted[];
  relationTypes: Counted[];
  /** With the most observations. */
  largest: Counted[];
  /** Entities without any relation. */
  orphans: number;
  /** Names at the ends of relations that no entity has. */
  dangling: number;
  /** Names that differ in case, accents, blanks or punctuation only. */
  possibleDuplicates: string[][];
  lastChange?: string;
}

export type Counted = { name: string; count: number };

const MOST = 20;

export function stats(store: Store): Stats {
  return store.read(() => {
    const count = (sql: string): number => store.get<{ count: number }>(sql)?.count ?? 0;
    const last = store.get<{ at: number }>("SELECT at FROM call ORDER BY seq DESC LIMIT 1")?.at;
    return {
      ...totals(store),
      observations: count("SELECT count(*) AS count FROM observation INDEXED BY observation_entity WHERE ended IS NULL"),
      entityTypes: store.all<Counted>(
        `SELECT t.name AS name, e.count AS count FROM (
           SELECT type, count(*) AS count FROM entity INDEXED BY entity_type WHERE ended IS NULL GROUP BY type) e
         JOIN type t ON t.id = e.type ORDER BY e.count DESC, t.name LIMIT ${MOST}`,
      ),
      relationTypes: store.all<Counted>(
        `SELECT type AS name, count(*) AS count FROM relation WHERE ended IS NULL GROUP BY type ORDER BY count DESC, type LIMIT ${MOST}`,
      ),
      largest: store.all<Counted>(
        `SELECT e.name AS name, o.count AS count FROM (
           SELECT entity, count(*) AS count FROM observation INDEXED BY observation_entity WHERE ended IS NULL
           GROUP BY entity ORDER BY count DESC LIMIT 5) o JOIN entity e ON e.id = o.entity ORDER BY o.count DESC, e.name`,
      ),
      orphans: count(
        `SELECT count(*) AS count FROM entity e INDEXED BY entity_name WHERE e.ended IS NULL
         AND NOT EXISTS (SELECT 1 FROM relation r WHERE r.source = e.name AND r.ended IS NULL)
         AND NOT EXISTS (SELECT 1 FROM relation r WHERE r.target = e.name AND r.ended IS NULL)`,
      ),
      dangling: count(
        `SELECT count(*) AS count FROM (
           SELECT source AS name FROM relation WHERE ended IS NULL UNION SELECT target FROM relation WHERE ended IS NULL) n
         WHERE NOT EXISTS (SELECT 1 FROM entity e WHERE e.name = n.name AND e.ended IS NULL)`,
      ),
      possibleDuplicates: duplicates(store),
      ...(last !== undefined && { lastChange: new Date(last).toISOString() }),
    };
  });
}

/** The largest groups of names that look alike. */
export const duplicates = (store: Store, most = MOST): string[][] =>
  store
    .all<{ key: string }>(
      `SELECT key FROM entity INDEXED BY entity_key WHERE ended IS NULL GROUP BY key HAVING count(*) > 1 ORDER BY count(*) DESC, key LIMIT ${most}`,
    )
    .map(({ key }) =>
      store
        .all<{ name: string }>("SELECT name FROM entity WHERE key = ? AND ended IS NULL ORDER BY id LIMIT 5", key)
        .map(({ name }) => name),
    );
