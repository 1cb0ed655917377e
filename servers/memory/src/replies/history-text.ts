// The history as a model reads it: one object for each call, with what it has added and ended.
import type { HistoryEvent } from "../graph/history/history-events.ts";
import { describeValidity } from "../graph/rows/fact-times.ts";

/** What is about facts stands first. */
const EVENTS = [
  "observed",
  "confirmed",
  "superseded",
  "removed",
  "created",
  "renamed",
  "retyped",
  "merged",
  "deleted",
  "related",
  "unrelated",
];

/** Texts by the names of events; true for events without one, such as deletions. */
type Changes = Record<string, string[] | true>;

/** `changes`: where events name entities, those of each. */
interface CallChanges {
  readonly at: string;
  readonly by?: string;
  readonly changes?: readonly ({ entity: string } | Changes)[];
}

/** Calls in the order of the events. */
export const describeHistory = (events: readonly HistoryEvent[]): CallChanges[] =>
  [...Map.groupBy(events, ({ at, by = "" }) => `${at} ${by}`).values()].map((ofCall) => {
    const at = ofCall[0]?.at ?? "";
    const by = ofCall[0]?.by;
    const named = ofCall.filter(({ entity }) => entity !== undefined);
    const changes = byEntity(named).map((own) => ({ entity: own[0]?.entity ?? "", ...changesOf(own) }));
    const others = changesOf(ofCall.filter(({ entity }) => entity === undefined));
    return { at, ...(by !== undefined && { by }), ...(changes.length > 0 && { changes }), ...others };
  });

/** Facts in the order in which the call has sent them, which may alternate, as in a conversation; the rest beside the first of its entity. */
function byEntity(events: readonly HistoryEvent[]): HistoryEvent[][] {
  const runs: HistoryEvent[][] = [];
  for (const event of events.filter((one) => one.event === "observed")) {
    const last = runs.at(-1);
    if (last?.[0]?.entity === event.entity) last?.push(event);
    else runs.push([event]);
  }
  for (const event of events.filter((one) => one.event !== "observed")) {
    const own = runs.find(([first]) => first?.entity === event.entity);
    if (own === undefined) runs.push([event]);
    else own.push(event);
  }
  return runs;
}

function changesOf(events: readonly HistoryEvent[]): Changes {
  const lists = EVENTS.flatMap((name) => {
    const texts = events.filter(({ event }) => event === name).map(textOf);
    return texts.length === 0 ? [] : [[name, texts.every((text) => text === "") || texts] as const];
  });
  return Object.fromEntries(lists);
}

function textOf({ observation, times = {}, relation, past, present }: HistoryEvent): string {
  if (relation !== undefined)
    return `${relation.from} → ${relation.relationType} → ${relation.to}${inBrackets(describeValidity(relation))}`;
  if (observation !== undefined) {
    const stated = times.told === undefined ? [] : [["said", times.told].join(" ")];
    return `${observation}${inBrackets([describeValidity(times), ...stated].filter((text) => text !== "").join(", "))}`;
  }
  return past === undefined ? (present ?? "") : `${past} → ${present ?? ""}`;
}

const inBrackets = (text: string): string => (text === "" ? "" : ` (${text})`);
