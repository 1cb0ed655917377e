// The times of facts as writes change them.
import { timesOf, timesOfRelation, withTimes, type FactTimes } from "../rows/fact-times.ts";
import type { CallHandle, Rows } from "../rows/rows.ts";

/** What replaces a fact holds from its validFrom, or since it was stated. */
export const replacementTimes = ([text = ""]: readonly string[], times: string | undefined): FactTimes =>
  timesOf({ text, times: times ?? null });

export function setTimes(rows: Rows, call: CallHandle, id: number, times: string | undefined): void {
  call.seq();
  rows.observations.setTimes(id, times ?? null);
}

/** Whether the relation had other times. */
export function setRelationTimes(rows: Rows, call: CallHandle, id: number, times: string): boolean {
  const { extra } = rows.relations.byId(id, Number.MAX_SAFE_INTEGER) ?? { extra: null };
  if (JSON.stringify(timesOfRelation({ extra })) === times) return false;
  call.seq();
  rows.relations.setExtra(id, withTimes(extra, times));
  return true;
}
