// The times of observations as writes change them.
import { timesOf, type FactTimes } from "../rows/fact-times.ts";
import type { CallHandle, Rows } from "../rows/rows.ts";

/** What replaces a fact holds from its validFrom, or since it was stated. */
export const replacementTimes = ([text = ""]: readonly string[], times: string | undefined): FactTimes =>
  timesOf({ text, times: times ?? null });

export function setTimes(rows: Rows, call: CallHandle, id: number, times: string | undefined): void {
  call.seq();
  rows.observations.setTimes(id, times ?? null);
}
