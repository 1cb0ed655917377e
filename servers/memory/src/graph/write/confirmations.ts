// Confirmations: observations that are stated again are still true.
import type { ObservationRow } from "../rows/observations.ts";
import type { CallHandle, Rows } from "../rows/rows.ts";

/** Notes that the observations were stated again, at most once a day (UTC) each: reads tell days, and a repeated call writes nothing. */
export function confirmObservations(rows: Rows, call: CallHandle, observations: readonly ObservationRow[]): void {
  const lastStatedBy = ({ created, confirmed }: ObservationRow): number => confirmed ?? created;
  rows.prepare({ calls: observations.map(lastStatedBy) });
  const today = dayOf(Date.now());
  for (const observation of observations)
    if (dayOf(rows.calls.find(lastStatedBy(observation))?.at ?? 0) !== today) rows.observations.confirm(call.seq(), observation.id);
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
