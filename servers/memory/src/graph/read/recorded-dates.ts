// When the observations on a page were recorded.
import { takeWithin } from "@oarlock/domain-kit";
import type { Store } from "../store/store.ts";
import { estimateBytes } from "./json-size.ts";
import type { PageBuilder } from "./page-builder.ts";

/** How many observations in a row were recorded on a date. */
export interface RecordedOn {
  readonly date: string;
  readonly count: number;
}

/** In the order of the observations. */
export interface RecordedDates {
  readonly name: string;
  readonly recorded: RecordedOn[];
}

const RECORDED_AT = "SELECT id, (SELECT at FROM call WHERE seq = created) AS at FROM observation";
const CURRENT = `${RECORDED_AT} WHERE entity = ?1 AND ended IS NULL ORDER BY id LIMIT ?2 OFFSET ?3`;
const AS_OF = `${RECORDED_AT} WHERE entity = ?1 AND ended IS NULL AND created <= ?4
  UNION ALL ${RECORDED_AT} WHERE entity = ?1 AND ended > ?4 AND created <= ?4 ORDER BY id LIMIT ?2 OFFSET ?3`;

/** Dates (UTC) of the shown observations of each entity on the page, as far as they fit. */
export function recordedDates(store: Store, { entities, observationSpans }: PageBuilder, maxBytes: number, asOf?: number): RecordedDates[] {
  const dates = function* (): Generator<RecordedDates> {
    for (const [index, { name, observations }] of entities.entries()) {
      const span = observationSpans[index];
      if (span === undefined || observations.length === 0) continue;
      const values = [span.entity, observations.length, span.start];
      const rows = asOf === undefined ? store.all<{ at: number }>(CURRENT, ...values) : store.all<{ at: number }>(AS_OF, ...values, asOf);
      yield { name, recorded: countRuns(rows.map(({ at }) => new Date(at).toISOString().slice(0, 10))) };
    }
  };
  return takeWithin(dates(), maxBytes, estimateBytes);
}

function countRuns(dates: readonly string[]): RecordedOn[] {
  const runs: { date: string; count: number }[] = [];
  for (const date of dates) {
    const last = runs.at(-1);
    if (last?.date === date) last.count++;
    else runs.push({ date, count: 1 });
  }
  return runs;
}
