// The history of an entity: what was created, changed, replaced and deleted, when, and by which client.
import { toRelation } from "../rows/relations.ts";
import { clip, truncateText } from "@oarlock/domain-kit";
import { GraphError } from "../errors.ts";
import type { Relation } from "../model.ts";
import { bytesOfObservation } from "../read/json-size.ts";
import { didYouMean } from "../read/suggestions.ts";
import type { EntityChange } from "../rows/calls.ts";
import { timesOf, type FactTimes } from "../rows/fact-times.ts";
import type { Rows } from "../rows/rows.ts";
import { seqSince, startOfHistory } from "../rows/times.ts";

export type HistoryEvent = {
  at: string;
  /** The client that made the call; `file` for changes of the JSONL file by another program. */
  by?: string;
  event: string;
  observation?: string;
  /** When the observation holds and was stated. */
  times?: FactTimes;
  supersededBy?: string;
  relation?: Relation;
  past?: string;
  present?: string;
};

export interface History {
  events: HistoryEvent[];
  /** How many older events did not fit. */
  omitted: number;
  /** Whether long texts were shortened to make room for other events. */
  isShortened: boolean;
  /** Events that ended something before this time were removed. */
  keptSince?: string;
}

export interface HistoryOptions {
  readonly entityName: string;
  /** Only events since this time. */
  readonly since?: string | undefined;
  /** Most events. Default: as many as fit. */
  readonly limit?: number | undefined;
  readonly maxBytes: number;
}

interface Event extends Omit<HistoryEvent, "at" | "by"> {
  seq: number;
}

/** Bytes of an event besides its texts. */
const EVENT_BYTES = 150;
/** Characters that are shown of a text which would take more than a quarter of the reply. */
const SHORTENED_LENGTH = 2000;
const MAX_SHARE = 1 / 4;

const EVENT_NAMES: Readonly<Record<string, string>> = { name: "renamed", type: "retyped", merged: "merged" };

/** The newest events that fit, oldest first. */
export function entityHistory(rows: Rows, { entityName, since, limit, maxBytes }: HistoryOptions): History {
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
        ...observationEvents(rows, id),
        ...changes.map(toEvent),
        ...(ended === null ? [] : [endEvent(rows, entityName, ended)]),
      ];
    });
    events.push(...relationEvents(rows, entityName));
    const firstSeq = since === undefined ? 0 : seqSince(rows, since);
    // The sort is stable: events of one call stay in their order.
    const wanted = events.filter(({ seq }) => seq >= firstSeq).sort((a, b) => a.seq - b.seq);
    const start = rows.calls.historyStart();
    return { ...newestWithin(rows, wanted, maxBytes, limit), ...(start > 0 && { keptSince: startOfHistory(rows, start) }) };
  });
}

/** Deleted, or merged into another entity. */
function endEvent(rows: Rows, past: string, seq: number): Event {
  const present = rows.calls.mergedInto(seq, past);
  return present === undefined ? { seq, event: "deleted" } : { seq, event: "merged", past, present };
}

function observationEvents(rows: Rows, entity: number): Event[] {
  return rows.observations.versionsOf(entity).flatMap(({ text, created, ended, confirmed, successor, times }): Event[] => {
    const withTimes = typeof times === "string" && { times: timesOf({ text, times }) };
    const observed: Event[] = [{ seq: created, event: "observed", observation: text, ...withTimes }];
    if (confirmed !== null) observed.push({ seq: confirmed, event: "confirmed", observation: text });
    if (ended === null) return observed;
    if (successor === null) return [...observed, { seq: ended, event: "removed", observation: text }];
    return [...observed, { seq: ended, event: "superseded", observation: text, supersededBy: successor }];
  });
}

/** Renames, type changes, and merges of other entities into this one. */
const toEvent = ({ seq, kind, past, present }: EntityChange): Event => ({ seq, event: EVENT_NAMES[kind] ?? kind, past, present });

function relationEvents(rows: Rows, name: string): Event[] {
  return rows.relations.versionsAt(name).flatMap((row): Event[] => {
    const relation = toRelation(row);
    const related = { seq: row.created, event: "related", relation };
    return row.ended === null ? [related] : [related, { seq: row.ended, event: "unrelated", relation }];
  });
}

function newestWithin(rows: Rows, events: readonly Event[], maxBytes: number, limit = Number.POSITIVE_INFINITY): History {
  const visible: HistoryEvent[] = [];
  let bytesLeft = maxBytes;
  let isShortened = false;
  const newestFirst = rows.inBatches(events.toReversed(), (batch) => ({ calls: batch.map(({ seq }) => seq) }));
  for (const whole of newestFirst) {
    const isLarge = bytesOf(whole) > maxBytes * MAX_SHARE;
    const { seq, ...event } = isLarge ? shorten(whole) : whole;
    bytesLeft -= bytesOf(event);
    if (bytesLeft < 0 || visible.length >= limit) break;
    isShortened ||= isLarge;
    const call = rows.calls.find(seq);
    visible.push({ at: new Date(call?.at ?? 0).toISOString(), ...(typeof call?.client === "string" && { by: call.client }), ...event });
  }
  return { events: visible.reverse(), omitted: events.length - visible.length, isShortened };
}

const bytesOf = (event: object): number => EVENT_BYTES + bytesOfObservation(JSON.stringify(event));

const shorten = ({ observation, supersededBy, ...event }: Event): Event => ({
  ...event,
  ...(observation !== undefined && { observation: truncateText(observation, SHORTENED_LENGTH) }),
  ...(supersededBy !== undefined && { supersededBy: truncateText(supersededBy, SHORTENED_LENGTH) }),
});
