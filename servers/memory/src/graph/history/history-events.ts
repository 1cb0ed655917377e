// Events of history, as their rows tell them, and the newest that fit into a reply.
import { truncateText } from "@oarlock/domain-kit";
import type { Relation } from "../model.ts";
import { bytesOfObservation } from "../read/json-size.ts";
import type { EntityChange } from "../rows/calls.ts";
import { timesOf, type FactTimes } from "../rows/fact-times.ts";
import type { ObservationVersion } from "../rows/observations.ts";
import { toRelation, type RelationVersion } from "../rows/relations.ts";
import type { Rows } from "../rows/rows.ts";
import { seqSince, startOfHistory } from "../rows/times.ts";

export type HistoryEvent = {
  at: string;
  /** The client that made the call; `file` for changes of the JSONL file by another program. */
  by?: string;
  /** In the history of all entities. */
  entity?: string;
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
  /** How many older events did not fit. In the history of all entities, older ones than these may not be counted. */
  omitted: number;
  /** Whether long texts were shortened to make room for other events. */
  isShortened: boolean;
  /** Events that ended something before this time were removed. */
  keptSince?: string;
}

export interface HistoryLimits {
  /** Only events since this time. */
  readonly since?: string | undefined;
  /** Most events. Default: as many as fit. */
  readonly limit?: number | undefined;
  readonly maxBytes: number;
}

export interface Event extends Omit<HistoryEvent, "at" | "by"> {
  seq: number;
}

/** Bytes of an event besides its texts. */
export const EVENT_BYTES = 150;
/** Characters that are shown of a text which would take more than a quarter of the reply. */
const SHORTENED_LENGTH = 2000;
const MAX_SHARE = 1 / 4;

const EVENT_NAMES: Readonly<Record<string, string>> = { name: "renamed", type: "retyped", merged: "merged" };

/** How an observation began, was stated again, and ended. */
export function observationEvents({ text, created, ended, confirmed, successor, times }: ObservationVersion): Event[] {
  const withTimes = typeof times === "string" && { times: timesOf({ text, times }) };
  const observed: Event[] = [{ seq: created, event: "observed", observation: text, ...withTimes }];
  if (confirmed !== null) observed.push({ seq: confirmed, event: "confirmed", observation: text });
  if (ended === null) return observed;
  if (successor === null) return [...observed, { seq: ended, event: "removed", observation: text }];
  return [...observed, { seq: ended, event: "superseded", observation: text, supersededBy: successor }];
}

export function relationEvents(row: RelationVersion): Event[] {
  const relation = toRelation(row);
  const related = { seq: row.created, event: "related", relation };
  return row.ended === null ? [related] : [related, { seq: row.ended, event: "unrelated", relation }];
}

/** A rename, a new type, or the merge of another entity into this one. */
export const changeEvent = ({ seq, kind, past, present }: EntityChange): Event => ({
  seq,
  event: EVENT_NAMES[kind] ?? kind,
  past,
  present,
});

/** Of an entity that was deleted, or merged into another one. */
export function endEvent(rows: Rows, past: string, seq: number): Event {
  const present = rows.calls.mergedInto(seq, past);
  return present === undefined ? { seq, event: "deleted" } : { seq, event: "merged", past, present };
}

/** The newest events that fit, oldest first. Those of one call stay in their order. */
export function newestEvents(rows: Rows, events: readonly Event[], { since, limit, maxBytes }: HistoryLimits): History {
  const firstSeq = since === undefined ? 0 : seqSince(rows, since);
  // The sort is stable.
  const wanted = events.filter(({ seq }) => seq >= firstSeq).sort((a, b) => a.seq - b.seq);
  const start = rows.calls.historyStart();
  return { ...newestWithin(rows, wanted, maxBytes, limit), ...(start > 0 && { keptSince: startOfHistory(rows, start) }) };
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
