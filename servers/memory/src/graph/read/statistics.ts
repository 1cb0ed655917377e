// Figures about the graph: a cheap first look.
import type { Store } from "../store/store.ts";
import { truncateText } from "@oarlock/domain-kit";
import { totals } from "./totals.ts";

export interface Statistics {
  entities: number;
  relations: number;
  observations: number;
  entityTypes: Counted[];
  relationTypes: Counted[];
  /** Entities with the most observations. */
  largest: Counted[];
  /** Entities without relations. */
  orphans: number;
  /** Names in relations that no entity has. */
  dangling: number;
  /** Groups of names that differ only in case, accents, blanks or punctuation. */
  possibleDuplicates: string[][];
  lastChange?: string;
}

export type Counted = { name: string; count: number };

const MAX_LISTED = 20;
const MAX_LARGEST = 5;
const MAX_DUPLICATES_IN_GROUP = 5;
/** Longer names and types are truncated. */
const MAX_NAME_LENGTH = 200;

export function statistics(store: Store): Statistics {
  return store.read(() => {
    const count = (sql: string): number => store.get<{ count: number }>(sql)?.count ?? 0;
    const lastChange = store.get<{ at: number }>("SELECT at FROM call ORDER BY seq DESC LIMIT 1")?.at;
    return {
      ...totals(store),
      observations: count("SELECT count(*) AS count FROM observation INDEXED BY observation_entity WHERE ended IS NULL"),
      entityTypes: countedNames(
        store,
        `SELECT t.name AS name, e.count AS count FROM (
           SELECT type, count(*) AS count FROM entity INDEXED BY entity_type WHERE ended IS NULL GROUP BY type) e
         JOIN type t ON t.id = e.type ORDER BY e.count DESC, t.name LIMIT ${MAX_LISTED}`,
      ),
      relationTypes: countedNames(
        store,
        `SELECT type AS name, count(*) AS count FROM relation WHERE ended IS NULL GROUP BY type ORDER BY count DESC, type LIMIT ${MAX_LISTED}`,
      ),
      largest: countedNames(
        store,
        `SELECT e.name AS name, o.count AS count FROM (
           SELECT entity, count(*) AS count FROM observation INDEXED BY observation_entity WHERE ended IS NULL
           GROUP BY entity ORDER BY count DESC LIMIT ${MAX_LARGEST}) o JOIN entity e ON e.id = o.entity ORDER BY o.count DESC, e.name`,
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
      possibleDuplicates: possibleDuplicates(store),
      ...(lastChange !== undefined && { lastChange: new Date(lastChange).toISOString() }),
    };
  });
}

const countedNames = (store: Store, sql: string): Counted[] =>
  store.all<Counted>(sql).map(({ name, count }) => ({ name: truncateText(name, MAX_NAME_LENGTH), count }));

/** The largest groups of similar names. */
const possibleDuplicates = (store: Store): string[][] =>
  store
    .all<{ key: string }>(
      `SELECT key FROM entity INDEXED BY entity_key WHERE ended IS NULL GROUP BY key HAVING count(*) > 1 ORDER BY count(*) DESC, key LIMIT ${MAX_LISTED}`,
    )
    .map(({ key }) =>
      store
        .all<{ name: string }>(`SELECT name FROM entity WHERE key = ? AND ended IS NULL ORDER BY id LIMIT ${MAX_DUPLICATES_IN_GROUP}`, key)
        .map(({ name }) => truncateText(name, MAX_NAME_LENGTH)),
    );
