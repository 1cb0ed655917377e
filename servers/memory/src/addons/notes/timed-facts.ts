// The times of a fact in a note: behind its text as inline fields, as Obsidian's Dataview has them: `lives in Porto [validFrom:: 2019]`.
import type { FactTimes } from "../../graph/model.ts";
import type { ObservationRow } from "../../graph/rows/observations.ts";
import { timesIn } from "../../graph/rows/fact-times.ts";

const FIELDS = /(?: \[\w+:: [^[\]\n]{1,40}\])+$/;
const FIELD = /\[(\w+):: ([^\]]+)\]/g;

export function formatFact({ text, times }: Pick<ObservationRow, "text" | "times">): string {
  const stored = typeof times === "string" ? (JSON.parse(times) as FactTimes) : {}; // as fact-times.ts writes it
  return [text, ...Object.entries(stored).map(([key, time]) => `[${key}:: ${time}]`)].join(" ");
}

/** Fields without a time that is understood belong to the text. */
export function parseFact(item: string): Pick<ObservationRow, "text" | "times"> {
  const [fields] = FIELDS.exec(item) ?? [];
  if (fields === undefined || fields.length === item.length) return { text: item };
  const given = Object.fromEntries([...fields.matchAll(FIELD)].map(([, key = "", time = ""]) => [key, time.trim()]));
  const times = timesIn(given);
  const isWhole = times !== undefined && Object.keys(JSON.parse(times) as object).length === Object.keys(given).length;
  return isWhole ? { text: item.slice(0, -fields.length), times } : { text: item };
}
