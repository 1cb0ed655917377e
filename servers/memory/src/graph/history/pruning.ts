// Removes old history from SQLite: rows that ended up to a call. What is current stays, however old it is.
import { getMirrorState } from "../store/mirror-state.ts";
import type { Store } from "../store/store.ts";
import type { DeletedCounts } from "../write/deletion.ts";

/** Rows of one table that one transaction removes: other calls do not wait long. */
const BATCH = 500;

/** The last call whose ended rows may go. A JSONL file is compared with the state that it had last, so what is newer than that stays. */
export function lastPrunable(store: Store, endedBefore: number): number {
  const last = store.calls.lastUntil(endedBefore) ?? 0;
  return Math.min(last, getMirrorState(store)?.previousSeq ?? last);
}

/** Removes a part of what ended up to the call, in the transaction of the caller. Returns undefined when nothing is left. */
export function pruneBatch(store: Store, last: number): DeletedCounts | undefined {
  const removeFrom = (table: string, column = "ended"): number =>
    store.run(`DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE ${column} <= ? LIMIT ${BATCH})`, last);
  const counts = { observations: removeFrom("observation"), relations: removeFrom("relation"), entities: removeFrom("entity") };
  const others = removeFrom("turn", "seq") + removeFrom("record");
  if (counts.observations + counts.relations + counts.entities + others === 0) return undefined;
  store.setMeta("historyStart", last);
  return counts;
}
