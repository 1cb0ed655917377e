// The last changes of a whole memory: what was recorded, replaced and deleted, in order.
import type { Rows } from "../rows/rows.ts";
import {
  changeEvent,
  EVENT_BYTES,
  newestEvents,
  observationEvents,
  relationEvents,
  type Event,
  type History,
  type HistoryLimits,
} from "./history-events.ts";

/** Unless the caller gives a limit. */
const DEFAULT_LIMIT = 100;

/**
 * The newest events that fit, oldest first. Without what no index has in the order of time: observations that were stated again, and creations
 * of entities that were deleted since.
 */
export function memoryHistory(rows: Rows, { limit = DEFAULT_LIMIT, ...limits }: HistoryLimits): History {
  return rows.read(() => {
    // Of each kind as many as of all, and one that tells that there are more.
    const most = Math.min(limit, Math.ceil(limits.maxBytes / EVENT_BYTES)) + 1;
    const created = rows.entities.newest(most).toReversed();
    const changes = rows.calls.lastChanges(most).toReversed();
    const merged = new Set(changes.flatMap(({ seq, kind, past }) => (kind === "merged" ? [`${seq} ${past}`] : [])));
    const deleted = rows.entities
      .lastEnded(most)
      .toReversed()
      .filter(({ name, ended }) => !merged.has(`${ended} ${name}`));
    const events: Event[] = [
      ...created.map(({ name, created: seq }) => ({ seq, entity: name, event: "created" })),
      ...rows.observations
        .lastChanged(most)
        .flatMap((version) => observationEvents({ ...version, confirmed: null }).map((event) => ({ ...event, entity: version.entity }))),
      ...rows.relations.lastChanged(most).flatMap(relationEvents),
      ...changes.map((change) => ({ ...changeEvent(change), entity: change.entity })),
      ...deleted.map(({ name, ended: seq }) => ({ seq, entity: name, event: "deleted" })),
    ];
    return newestEvents(rows, events, { ...limits, limit });
  });
}
