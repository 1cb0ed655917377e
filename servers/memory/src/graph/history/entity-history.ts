// The history of an entity: what was created, changed, replaced and deleted, when, and by which client.
import { clip } from "@oarlock/domain-kit";
import { GraphError } from "../errors.ts";
import { didYouMean } from "../read/suggestions.ts";
import type { Rows } from "../rows/rows.ts";
import {
  changeEvent,
  endEvent,
  newestEvents,
  observationEvents,
  relationEvents,
  type Event,
  type History,
  type HistoryLimits,
} from "./history-events.ts";

export interface HistoryOptions extends HistoryLimits {
  readonly entityName: string;
}

/** The newest events that fit, oldest first. */
export function entityHistory(rows: Rows, { entityName, ...limits }: HistoryOptions): History {
  return rows.read(() => {
    const entities = rows.entities.versions(entityName);
    if (entities.length === 0) {
      const remedy = didYouMean(rows, entityName) ?? "Use search_nodes to find entities.";
      throw new GraphError("not-found", `History of an entity with name ${clip(entityName)} not found. ${remedy}`);
    }
    const events: Event[] = entities.flatMap(({ id, created, ended, type }) => {
      const changes = rows.calls.changesOf(id);
      // The type before all type changes.
      const firstType = changes.find(({ kind }) => kind === "type")?.past;
      return [
        { seq: created, event: "created", present: firstType ?? type },
        ...rows.observations.versionsOf(id).flatMap(observationEvents),
        ...changes.map(changeEvent),
        ...(ended === null ? [] : [endEvent(rows, entityName, ended)]),
      ];
    });
    return newestEvents(rows, [...events, ...rows.relations.versionsAt(entityName).flatMap(relationEvents)], limits);
  });
}
