// When the observations on a page were recorded, and last confirmed.
import { takeWithin } from "@oarlock/domain-kit";
import { describeValidity, timesOf } from "../rows/fact-times.ts";
import type { ObservationRow } from "../rows/observations.ts";
import type { Rows } from "../rows/rows.ts";
import { estimateBytes } from "./json-size.ts";
import type { PageBuilder } from "./page-builder.ts";

/** How many observations in a row were recorded on a date, and stated again on another one. */
export interface RecordedOn {
  /** The day on which they were stated, where that is known. */
  readonly date: string;
  /** The last day on which they were stated again; absent where that is the first day. */
  readonly confirmed?: string;
  /** When they hold, such as "2019 to 2021-05" or "since 2024". */
  readonly valid?: string;
  readonly count: number;
}

/** In the order of the observations. */
export interface RecordedDates {
  readonly name: string;
  readonly recorded: RecordedOn[];
}

export interface RecordedPage {
  readonly entities: PageBuilder["entities"];
  readonly observationRows: readonly (readonly ObservationRow[])[];
}

/** Dates (UTC) of the shown observations of each entity on the page, as far as they fit. */
export function recordedDates(
  rows: Rows,
  { entities, observationRows }: RecordedPage,
  maxBytes = Number.POSITIVE_INFINITY,
): RecordedDates[] {
  rows.prepare({ calls: observationRows.flatMap((listed) => listed.flatMap(({ created, confirmed }) => [created, confirmed ?? created])) });
  const dateOf = callDates(rows);
  const dates = function* (): Generator<RecordedDates> {
    for (const [index, { name, observations }] of entities.entries()) {
      const listed = observationRows[index]?.slice(0, observations.length) ?? [];
      if (listed.length > 0) yield { name, recorded: countRuns(listed.map((row) => datesOf(row, dateOf))) };
    }
  };
  return takeWithin(dates(), maxBytes, estimateBytes);
}

/** Returns the date of a call. Most observations on a page are of a few calls. */
function callDates(rows: Rows): (seq: number) => string {
  const dates = new Map<number, string>();
  return (seq) => {
    let date = dates.get(seq);
    if (date === undefined) {
      const at = rows.calls.find(seq)?.at ?? 0;
      date = new Date(at).toISOString().slice(0, 10);
      dates.set(seq, date);
    }
    return date;
  };
}

type Dates = Omit<RecordedOn, "count">;

function datesOf(row: ObservationRow, dateOf: (seq: number) => string): Dates {
  const recorded = dateOf(row.created);
  const times = timesOf(row);
  const confirmed = row.confirmed === null ? recorded : dateOf(row.confirmed);
  const valid = describeValidity(times);
  return {
    date: times.told?.slice(0, recorded.length) ?? recorded,
    ...(confirmed !== recorded && { confirmed }),
    ...(valid !== "" && { valid }),
  };
}

function countRuns(dates: readonly Dates[]): RecordedOn[] {
  const runs: (Dates & { count: number })[] = [];
  for (const next of dates) {
    const last = runs.at(-1);
    if (last?.date === next.date && last.confirmed === next.confirmed && last.valid === next.valid) last.count++;
    else runs.push({ ...next, count: 1 });
  }
  return runs;
}
