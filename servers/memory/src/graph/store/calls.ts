// The log of calls: each call that changed something has a number that grows with time.
import { clip } from "@oarlock/domain-kit";
import { GraphError } from "../errors.ts";
import type { SqlConnection } from "../sqlite/sql-connection.ts";
import type { Store } from "./store.ts";

const DAY_MS = 86_400_000;

/** The number of the newest call; 0 where there is none. */
export const lastSeq = (sql: SqlConnection): number => sql.get<{ seq: number | null }>("SELECT max(seq) AS seq FROM call")?.seq ?? 0;

/** The first call at or after a time, or a number above all calls. */
export function seqSince(sql: SqlConnection, time: string): number {
  const select = "SELECT min(seq) AS seq FROM call WHERE at >= ?";
  return sql.get<{ seq: number | null }>(select, parseTime(time))?.seq ?? Number.MAX_SAFE_INTEGER;
}

/** The last call up to a time, or 0. A date or month without a time of day includes all of it. */
export function seqUntil(sql: SqlConnection, time: string): number {
  const start = parseTime(time);
  const [, year, month, day] = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(time.trim()) ?? [];
  const end = year === undefined ? start : day === undefined ? Date.UTC(Number(year), Number(month)) - 1 : start + DAY_MS - 1;
  return sql.get<{ seq: number | null }>("SELECT max(seq) AS seq FROM call WHERE at <= ?", end)?.seq ?? 0;
}

/** Milliseconds since 1970. A date or month is its beginning in UTC. */
function parseTime(given: string): number {
  const [text, date] = /^(\d{4}-\d{2}(?:-\d{2})?)(?:(?<=-\d{2}-\d{2})[T ]\d{2}:\d{2}.*)?$/.exec(given.trim()) ?? [];
  const time = Date.parse(text?.replace(" ", "T") ?? "");
  // Date.parse reads the 30th of February as the 2nd of March.
  if (date === undefined || Number.isNaN(time) || !new Date(date).toISOString().startsWith(date))
    throw new GraphError(
      "invalid",
      `Time ${JSON.stringify(clip(given, 60))} not understood: a time such as 2026-05-31 or 2026-05-31T12:00:00Z is expected. Now it is ${new Date().toISOString()}.`,
    );
  return time;
}

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
