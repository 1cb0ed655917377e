// The timeline of an entity: its facts with the time in which they held, and its other changes, oldest first.
import { callTool, clipped, counted, element, structuredOf, type Host } from "@oarlock/extensions/page";
import { longText } from "./long-text.ts";
import type { Relation } from "./graph.ts";

/** As view_timeline returns them. */
interface HistoryEvent {
  at: string;
  by?: string;
  event: string;
  observation?: string;
  supersededBy?: string;
  relation?: Relation;
  past?: string;
  present?: string;
}

interface History {
  events: HistoryEvent[];
  omitted: number;
  isShortened: boolean;
}

/** The end of a fact. */
interface End {
  readonly at: string;
  readonly supersededBy: string | undefined;
}

export async function timelineOf(host: Host, entityName: string): Promise<HTMLElement> {
  const result = await callTool(host, "view_timeline", { entityName });
  const { events, omitted, isShortened } = structuredOf(result) as unknown as History; // checked by the server against its output schema
  const ends = endsOf(events);
  const times = events.map(({ at }) => Date.parse(at));
  const span = { start: Math.min(...times), end: Math.max(...times, Date.now()) };
  // The end of a fact stands with the fact.
  const entries = events.filter(({ event }) => event !== "superseded" && event !== "removed");
  const list = element("ol", { class: "timeline" }, ...entries.map((event) => entryOf(event, ends.get(event), span)));
  const notes = [
    ...(omitted > 0 ? [`${counted(omitted, "older change")} not shown.`] : []),
    ...(isShortened ? ["Long texts are shortened."] : []),
  ];
  return element("div", {}, list, notes.length > 0 && element("p", { class: "quiet" }, notes.join(" ")));
}

/** For each recorded fact, how it ended. A fact that was recorded twice ends in the order of its beginnings. */
function endsOf(events: readonly HistoryEvent[]): Map<HistoryEvent, End> {
  const ends = new Map<HistoryEvent, End>();
  for (const { at, event, observation, supersededBy } of events) {
    if (event !== "superseded" && event !== "removed") continue;
    const fact = events.find((start) => start.event === "observed" && start.observation === observation && !ends.has(start));
    if (fact !== undefined) ends.set(fact, { at, supersededBy });
  }
  return ends;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function entryOf(event: HistoryEvent, end: End | undefined, span: Span): HTMLElement {
  const { at, by, observation } = event;
  const who = by !== undefined && element("span", { class: "quiet" }, " by ", element("bdi", {}, clipped(by, 40)));
  const when = element("div", {}, timeOf(at), who);
  if (observation === undefined) return element("li", {}, when, describe(event));
  const fact = longText(observation);
  const [fate, isSuperseded] =
    end === undefined ? ["Current", false] : end.supersededBy === undefined ? ["Removed ", false] : ["Superseded ", true];
  return element(
    "li",
    { class: end === undefined ? "fact" : "fact past" },
    when,
    end === undefined ? fact : element("s", {}, fact),
    barOf(Date.parse(at), end === undefined ? span.end : Date.parse(end.at), span),
    element("div", { class: "quiet" }, fate, end !== undefined && timeOf(end.at), isSuperseded && " by:"),
    isSuperseded && element("div", { class: "successor" }, longText(end?.supersededBy ?? "")),
  );
}

/** From when to when the fact held, within the time of the whole history. Its text has the same. */
function barOf(from: number, to: number, { start, end }: Span): HTMLElement {
  const bar = element("div", { class: "span", "aria-hidden": "true" });
  const share = (time: number): string => `${((100 * (time - start)) / Math.max(1, end - start)).toFixed(1)}%`;
  bar.style.setProperty("--from", share(from));
  bar.style.setProperty("--to", share(to));
  return bar;
}

const timeOf = (at: string): HTMLElement => element("time", { datetime: at }, at.replace("T", " ").replace(/:\d\d(?:\.\d+)?Z$/, ""));

function describe({ event, relation, past, present }: HistoryEvent): HTMLElement {
  const name = (text = ""): HTMLElement => element("bdi", {}, clipped(text, 80));
  if (relation !== undefined) {
    const { from, to, relationType } = relation;
    const verb = event === "unrelated" ? "Relation removed: " : "Relation: ";
    return element("div", {}, verb, name(from), " → ", name(relationType), " → ", name(to));
  }
  if (event === "created") return element("div", {}, "Created as ", name(present));
  if (past !== undefined) return element("div", {}, `${EVENTS[event] ?? event}: `, name(past), " → ", name(present));
  return element("div", {}, EVENTS[event] ?? event);
}

const EVENTS: Readonly<Record<string, string>> = {
  renamed: "Renamed",
  retyped: "Type changed",
  merged: "Merged",
  deleted: "Deleted",
};
