// The times of facts as writes change them.
import { timesOf, timesOfRelation, type FactTimes } from "../rows/fact-times.ts";
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
  const { validFrom, validTo, told, ...others } = JSON.parse(extra ?? "{}") as Record<string, unknown>; // a JSON object
  call.seq();
  rows.relations.setExtra(id, JSON.stringify({ ...others, ...(JSON.parse(times) as FactTimes) })); // as formatTimes wrote it
  return true;
}
