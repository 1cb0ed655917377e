// The log of calls: each call that changed something has a number that grows with time.
import type { SqlConnection } from "../sqlite/sql-connection.ts";
import type { Store } from "./store.ts";

/** The number of the newest call; 0 where there is none. */
export const lastSeq = (sql: SqlConnection): number => sql.get<{ seq: number | null }>("SELECT max(seq) AS seq FROM call")?.seq ?? 0;

/** The highest id of each table: rows with higher ids are newer. Stored as JSON by the JSONL mirror. */
export interface HighestIds {
  readonly entity: number;
  readonly observation: number;
  readonly relation: number;
  readonly record: number;
  readonly turn: number;
}

export function highestIds(sql: SqlConnection): HighestIds {
  const highest = (table: string): number => sql.get<{ id: number | null }>(`SELECT max(id) AS id FROM ${table}`)?.id ?? 0;
  return {
    entity: highest("entity"),
    observation: highest("observation"),
    relation: highest("relation"),
    record: highest("record"),
    turn: highest("turn"),
  };
}

/** The last call that purged something; 0 where there is none. Purged rows leave no other trace. */
export const lastPurgeSeq = (store: Store): number => store.meta<number>("purged") ?? 0;

export const setLastPurgeSeq = (store: Store, seq: number): void => store.setMeta("purged", seq);
