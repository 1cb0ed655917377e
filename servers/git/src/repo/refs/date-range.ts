// Dates that limit a history. git reads a date without a time of day as that day at the present time, and loses a part of the day.
import type { GitContext } from "../process/git-process.ts";
import { checkDate, WEEKDAY } from "./date-check.ts";

export interface DateRange {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

const COMPACT_DATE = /^(\d{4})(\d\d)(\d\d)$/;
const DATE_AND_ZONE = /^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}) ?(Z|UTC|GMT|[+-]\d\d:?\d\d)?$/i;
/** A day in words or in another form. Without a word or number more, which could be a time of day. */
const DAY = new RegExp(
  [
    String.raw`today|yesterday|last WEEKDAY`,
    String.raw`\d{1,2}[./-]\d{1,2}[./-]\d{4}`,
    String.raw`(?:WEEKDAY,? )?MONTH DATE(?:,? \d{4})?`,
    String.raw`(?:WEEKDAY,? )?DATE (?:of )?MONTH(?:,? \d{4})?`,
  ]
    .map((form) => `^(?:${form})$`)
    .join("|")
    .replaceAll("WEEKDAY", WEEKDAY)
    .replaceAll("MONTH", "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[.]?")
    .replaceAll("DATE", String.raw`(?:the )?\d{1,2}(?:st|nd|rd|th|[.])?`),
  "i",
);

/** Options of `git log` and its like. A day begins at 00:00 as `since`, and is included as `until`. Throws as {@link checkDate}. */
export async function dateArguments(context: Pick<GitContext, "git">, range: DateRange, signal?: AbortSignal): Promise<string[]> {
  const args: string[] = [];
  for (const [option, text, time] of [
    ["--since", range.since, "00:00:00"],
    ["--until", range.until, "23:59:59"],
  ] as const) {
    if (text === undefined) continue;
    const date = text.trim().replace(COMPACT_DATE, "$1-$2-$3");
    await checkDate(context, date, signal);
    args.push(`${option}=${atTime(date, time)}`);
  }
  return args;
}

function atTime(date: string, time: string): string {
  const [, day, zone] = DATE_AND_ZONE.exec(date) ?? [];
  if (day !== undefined) return zone === undefined ? `${day} ${time}` : `${day} ${time} ${zone}`;
  return DAY.test(date.replaceAll(/[\s,]+/g, " ")) ? `${date} ${time}` : date;
}
