// The times of facts as writes change them.
import { mergeTimes, storedTimes, timesOf, timesOfRelation, withTimes, type FactTimes } from "../rows/fact-times.ts";
import type { ObservationRow } from "../rows/observations.ts";
import type { CallHandle, Rows } from "../rows/rows.ts";

/** What replaces a fact holds from its validFrom, or since it was stated. */
export const replacementTimes = ([text = ""]: readonly string[], times: string | undefined): FactTimes =>
  timesOf({ text, times: times ?? null });

export function setTimes(rows: Rows, call: CallHandle, id: number, times: string | undefined): void {
  call.seq();
  rows.observations.setTimes(id, times ?? null);
}

/** Adds the given times to those of a fact. Returns all of them; undefined where they were the same before. */
export function addTimes(rows: Rows, call: CallHandle, row: ObservationRow, given: string): FactTimes | undefined {
  const stored = storedTimes(row);
  const times = mergeTimes(stored, given, row.text);
  if (times === mergeTimes(stored, "{}", row.text)) return undefined;
  setTimes(rows, call, row.id, times);
  return JSON.parse(times) as FactTimes; // as mergeTimes wrote it
}

/** The same for a relation. */
export function addRelationTimes(rows: Rows, call: CallHandle, id: number, given: string): FactTimes | undefined {
  const row = rows.relations.byId(id, Number.MAX_SAFE_INTEGER);
  const [extra, subject] = row === undefined ? [null, ""] : [row.extra, `${row.source} → ${row.target}`];
  const stored = timesOfRelation({ extra });
  const times = mergeTimes(stored, given, subject);
  if (times === mergeTimes(stored, "{}", subject)) return undefined;
  call.seq();
  rows.relations.setExtra(id, withTimes(extra, times));
  return JSON.parse(times) as FactTimes; // as above
}
