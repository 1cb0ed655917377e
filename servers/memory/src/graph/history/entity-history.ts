// What was said of an entity over time: what came, what went, what took its place, and through which client.
import { relationsAtName } from "../read/neighbourhood.ts";
import { beginOf, clip, GraphError } from "../errors.ts";
import { didYouMean } from "../read/open-nodes.ts";
import type { Store } from "../store/store.ts";
import { seqSince } from "./call-times.ts";
import { weighObservation } from "../read/json-size.ts";

export type HistoryEvent = {
  at: string;
  /** The client that said so, or `file`. */
  by?: string;
  event: string;
  observation?: string;
  /** What is said instead. */
  supersededBy?: string;
  relation?: { from: string; to: string; relationType: string };
  past?: string;
  present?: string;
};

export interface History {
  events: HistoryEvent[];
  /** How many older ones there was no room for. */
  omitted: number;
  /** Whether texts were shortened so that what is around them has room. */
  isShortened: boolean;
}

interface Event extends Omit<HistoryEvent, "at" | "by"> {
  seq: number;
}

const ROWS = "SELECT e.id, e.created, e.ended, t.name AS type FROM entity e JOIN type t ON t.id = e.type";

/** The newest that there is room for, oldest first. */
export function history(
  store: Store,
  { entityName, since, room }: { entityName: string; since?: string | undefined; room: number },
): History {
  return store.read(() => {
    const rows = store.all<{ id: number; created: number; ended: number | null; type: string }>(
      `${ROWS} WHERE e.name = ?1 AND e.ended IS NULL UNION ALL ${ROWS} WHERE e.name = ?1 AND e.ended IS NOT NULL`,
      entityName,
    );
    if (rows.length === 0) {
      const told = `There is no history of an entity with name ${clip(entityName)}.`;
      throw new GraphError("not-found", `${told} ${didYouMean(store, entityName) ?? ""}`.trimEnd());
    }
    const events: Event[] = rows.flatMap(({ id, created, ended, type }) => [
      { seq: created, event: "created", present: firstType(store, id) ?? type },
      ...observationEvents(store, id),
      ...turnEvents(store, id),
      ...(ended === null ? [] : [endOf(store, entityName, ended)]),
    ]);
    events.push(...relationEvents(store, entityName));
    const from = since === undefined ? 0 : seqSince(store, since);
    // What happened in one call stays in the order in which it was told.
    const wanted = events.filter(({ seq }) => seq >= from).sort((a, b) => a.seq - b.seq);
    return fit(store, wanted, room);
  });
}

/** What went into another entity was not deleted. */
function endOf(store: Store, past: string, seq: number): Event {
  const into = "SELECT present FROM turn WHERE kind = 'merged' AND past = ? AND seq = ?";
  const present = store.get<{ present: string }>(into, past, seq)?.present;
  return present === undefined ? { seq, event: "deleted" } : { seq, event: "merged", past, present };
}

/** What it was before it was retyped. */
const firstType = (store: Store, entity: number): string | undefined =>
  store.get<{ past: string }>("SELECT past FROM turn WHERE entity = ? AND kind = 'type' ORDER BY id LIMIT 1", entity)?.past;

function observationEvents(store: Store, entity: number): Event[] {
  const rows = store.all<{ text: string; created: number; ended: number | null; successor: string | null }>(
    `SELECT o.text, o.created, o.ended, s.text AS successor FROM observation o LEFT JOIN observation s ON s.id = o.successor
     WHERE o.entity = ?1 AND o.ended IS NULL
     UNION ALL SELECT o.text, o.created, o.ended, s.text AS successor FROM observation o LEFT JOIN observation s ON s.id = o.successor
     WHERE o.entity = ?1 AND o.ended IS NOT NULL`,
    entity,
  );
  return rows.flatMap(({ text, created, ended, successor }): Event[] => [
    { seq: created, event: "observed", observation: text },
    ...(ended === null
      ? []
      : [
          successor === null
            ? { seq: ended, event: "removed", observation: text }
            : { seq: ended, event: "superseded", observation: text, supersededBy: successor },
        ]),
  ]);
}

function turnEvents(store: Store, entity: number): Event[] {
  const events: Readonly<Record<string, string>> = { name: "renamed", type: "retyped", merged: "merged" };
  return store
    .all<{ seq: number; kind: string; past: string; present: string }>("SELECT seq, kind, past, present FROM turn WHERE entity = ?", entity)
    .map(({ seq, kind, past, present }) => ({ seq, event: events[kind] ?? kind, past, present }));
}

function relationEvents(store: Store, name: string): Event[] {
  const seen = new Set<number>();
  const dates = "SELECT created, ended FROM relation WHERE id = ?";
  const past = `SELECT id, source, target, type FROM relation WHERE source = ?1 AND ended IS NOT NULL
    UNION SELECT id, source, target, type FROM relation WHERE target = ?1 AND ended IS NOT NULL`;
  type Row = { id: number; source: string; target: string; type: string };
  return [...relationsAtName(store, name), ...store.all<Row>(past, name)].flatMap(({ id, source, target, type }): Event[] => {
    if (seen.has(id)) return [];
    seen.add(id);
    const row = store.get<{ created: number; ended: number | null }>(dates, id);
    if (row === undefined) return [];
    const relation = { from: source, to: target, relationType: type };
    return [
      { seq: row.created, event: "related", relation },
      ...(row.ended === null ? [] : [{ seq: row.ended, event: "unrelated", relation }]),
    ];
  });
}

/** Of a text that would leave no room for others this much is told. */
const BEGIN = 2000;

const beginsOf = ({ observation, supersededBy, ...event }: Event): Event => ({
  ...event,
  ...(observation !== undefined && { observation: beginOf(observation, BEGIN) }),
  ...(supersededBy !== undefined && { supersededBy: beginOf(supersededBy, BEGIN) }),
});

function fit(store: Store, events: readonly Event[], room: number): History {
  const shown: HistoryEvent[] = [];
  const most = room / 4;
  let isShortened = false;
  for (const whole of events.toReversed()) {
    const isLarge = weightOf(whole) > most;
    const { seq, ...event } = isLarge ? beginsOf(whole) : whole;
    room -= weightOf(event);
    if (room < 0) break;
    isShortened ||= isLarge;
    const call = store.get<{ at: number; client: string | null }>("SELECT at, client FROM call WHERE seq = ?", seq);
    shown.push({ at: new Date(call?.at ?? 0).toISOString(), ...(typeof call?.client === "string" && { by: call.client }), ...event });
  }
  return { events: shown.reverse(), omitted: events.length - shown.length, isShortened };
}

const weightOf = (event: object): number => 150 + weighObservation(JSON.stringify(event));
