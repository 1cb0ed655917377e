// The history of an entity: what was created, changed, replaced and deleted, when, and by which client.
import { clip, truncateText } from "@oarlock/domain-kit";
import { GraphError } from "../errors.ts";
import type { Relation } from "../model.ts";
import { bytesOfObservation } from "../read/json-size.ts";
import { relationsAt, toRelation } from "../read/neighbourhood.ts";
import { didYouMean } from "../read/suggestions.ts";
import { seqSince } from "../store/calls.ts";
import type { RelationRow } from "../store/rows.ts";
import type { Store } from "../store/store.ts";

export type HistoryEvent = {
  at: string;
  /** The client that made the call; `file` for changes of the JSONL file by another program. */
  by?: string;
  event: string;
  observation?: string;
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
export function entityHistory(store: Store, { entityName, since, limit, maxBytes }: HistoryOptions): History {
  return store.read(() => {
    const entities = findVersions(store, entityName);
    if (entities.length === 0) {
      const remedy = didYouMean(store, entityName) ?? "Use search_nodes to find entities.";
      throw new GraphError("not-found", `History of an entity with name ${clip(entityName)} not found. ${remedy}`);
    }
    const events: Event[] = entities.flatMap(({ id, created, ended, type }) => [
      { seq: created, event: "created", present: firstType(store, id) ?? type },
      ...observationEvents(store, id),
      ...changeEvents(store, id),
      ...(ended === null ? [] : [endEvent(store, entityName, ended)]),
    ]);
    events.push(...relationEvents(store, entityName));
    const firstSeq = since === undefined ? 0 : seqSince(store, since);
    // The sort is stable: events of one call stay in their order.
    const wanted = events.filter(({ seq }) => seq >= firstSeq).sort((a, b) => a.seq - b.seq);
    return newestWithin(store, wanted, maxBytes, limit);
  });
}

/** Selects current and past rows with a query each, because they have indexes of their own. */
const currentAndPast = (select: string, ended: string): string =>
  `${select} AND ${ended} IS NULL UNION ALL ${select} AND ${ended} IS NOT NULL`;

const findVersions = (store: Store, name: string) =>
  store.all<{ id: number; created: number; ended: number | null; type: string }>(
    currentAndPast(
      "SELECT e.id, e.created, e.ended, t.name AS type FROM entity e JOIN type t ON t.id = e.type WHERE e.name = ?1",
      "e.ended",
    ),
    name,
  );

/** The type before all type changes. */
const firstType = (store: Store, entity: number): string | undefined =>
  store.get<{ past: string }>("SELECT past FROM turn WHERE entity = ? AND kind = 'type' ORDER BY id LIMIT 1", entity)?.past;

/** Deleted, or merged into another entity. */
function endEvent(store: Store, past: string, seq: number): Event {
  const select = "SELECT present FROM turn WHERE kind = 'merged' AND past = ? AND seq = ?";
  const present = store.get<{ present: string }>(select, past, seq)?.present;
  return present === undefined ? { seq, event: "deleted" } : { seq, event: "merged", past, present };
}

function observationEvents(store: Store, entity: number): Event[] {
  const rows = store.all<{ text: string; created: number; ended: number | null; successor: string | null }>(
    currentAndPast(
      `SELECT o.text, o.created, o.ended, s.text AS successor FROM observation o LEFT JOIN observation s ON s.id = o.successor
       WHERE o.entity = ?1`,
      "o.ended",
    ),
    entity,
  );
  return rows.flatMap(({ text, created, ended, successor }): Event[] => {
    const observed = { seq: created, event: "observed", observation: text };
    if (ended === null) return [observed];
    if (successor === null) return [observed, { seq: ended, event: "removed", observation: text }];
    return [observed, { seq: ended, event: "superseded", observation: text, supersededBy: successor }];
  });
}

/** Renames, type changes, and merges of other entities into this one. */
function changeEvents(store: Store, entity: number): Event[] {
  const select = "SELECT seq, kind, past, present FROM turn WHERE entity = ?";
  return store
    .all<{ seq: number; kind: string; past: string; present: string }>(select, entity)
    .map(({ seq, kind, past, present }) => ({ seq, event: EVENT_NAMES[kind] ?? kind, past, present }));
}

function relationEvents(store: Store, name: string): Event[] {
  const selectPast = `SELECT id, source, target, type FROM relation WHERE source = ?1 AND ended IS NOT NULL
    UNION SELECT id, source, target, type FROM relation WHERE target = ?1 AND ended IS NOT NULL`;
  const rows = new Map([...relationsAt(store, name), ...store.all<RelationRow>(selectPast, name)].map((row) => [row.id, row]));
  return [...rows.values()].flatMap((row): Event[] => {
    const calls = store.get<{ created: number; ended: number | null }>("SELECT created, ended FROM relation WHERE id = ?", row.id);
    if (calls === undefined) return [];
    const relation = toRelation(row);
    const related = { seq: calls.created, event: "related", relation };
    return calls.ended === null ? [related] : [related, { seq: calls.ended, event: "unrelated", relation }];
  });
}

function newestWithin(store: Store, events: readonly Event[], maxBytes: number, limit = Number.POSITIVE_INFINITY): History {
  const visible: HistoryEvent[] = [];
  let bytesLeft = maxBytes;
  let isShortened = false;
  for (const whole of events.toReversed()) {
    const isLarge = bytesOf(whole) > maxBytes * MAX_SHARE;
    const { seq, ...event } = isLarge ? shorten(whole) : whole;
    bytesLeft -= bytesOf(event);
    if (bytesLeft < 0 || visible.length >= limit) break;
    isShortened ||= isLarge;
    const call = store.get<{ at: number; client: string | null }>("SELECT at, client FROM call WHERE seq = ?", seq);
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
