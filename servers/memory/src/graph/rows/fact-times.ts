// When a fact holds and when it was stated, besides when it was recorded. The dates are kept as the caller wrote them, in a column of the
// observation: {"validFrom":"2019","validTo":"2021-05","told":"2023-05-08"}; those of a relation are members of its record in the JSONL file.
import { clip } from "@oarlock/domain-kit";
import { GraphError } from "../errors.ts";
import type { FactTimes } from "../model.ts";
import type { ObservationRow } from "./observations.ts";

export type { FactTimes };

/** Milliseconds since 1970; both included. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

const MEMBERS = ["validFrom", "validTo", "told"] as const;

/** The column of the given times; undefined where none is given. Throws a GraphError for any other text. */
export function formatTimes(given: FactTimes, subject: string): string | undefined {
  const times = Object.fromEntries(MEMBERS.flatMap((member) => (given[member] === undefined ? [] : [[member, given[member].trim()]])));
  for (const [member, text] of Object.entries(times))
    if (periodOf(text) === undefined)
      throw new GraphError(
        "invalid",
        `Time ${JSON.stringify(clip(text, 60))} in ${member} of ${clip(subject, 60)} not understood: a time such as 2026, 2026-05, 2026-05-31 or 2026-05-31T12:00:00Z is expected. Today is ${new Date().toISOString().slice(0, 10)}. Nothing was changed.`,
      );
  checkOrder(times, subject);
  return Object.keys(times).length === 0 ? undefined : JSON.stringify(times);
}

function checkOrder({ validFrom, validTo }: FactTimes, subject: string): void {
  if (validFrom !== undefined && validTo !== undefined && startOf(validFrom) > endOf(validTo))
    throw new GraphError(
      "invalid",
      `Times of ${clip(subject, 60)} contradict each other: validTo ${validTo} is before validFrom ${validFrom}. Nothing was changed.`,
    );
}

/** Stored times with the given ones: those that were not given stay. `given`: as formatTimes writes them. */
export function mergeTimes(stored: FactTimes, given: string, subject: string): string {
  const times = { ...stored, ...(JSON.parse(given) as FactTimes) };
  checkOrder(times, subject);
  // In one order, so that equal times are equal texts.
  return JSON.stringify(Object.fromEntries(MEMBERS.flatMap((member) => (times[member] === undefined ? [] : [[member, times[member]]]))));
}

/** Those that are stored with an observation, without the date with which it begins. */
export const storedTimes = ({ times }: Pick<ObservationRow, "times">): FactTimes =>
  times === null || times === undefined ? {} : (JSON.parse(times) as FactTimes); // formatTimes and timesIn write it

/** The column of a value in a file; undefined where it has no time. */
export function timesIn(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const entries = MEMBERS.map((member) => [member, (value as Record<string, unknown>)[member]] as const); // an object, as tested above
  const valid = entries.filter(([, text]) => typeof text === "string" && periodOf(text) !== undefined);
  return valid.length === 0 ? undefined : JSON.stringify(Object.fromEntries(valid));
}

/** An observation that begins with a date was stated then. */
export function timesOf(row: Pick<ObservationRow, "text" | "times">): FactTimes {
  const stored = storedTimes(row);
  const told = stored.told ?? leadingDate(row.text);
  return told === undefined ? stored : { ...stored, told };
}

/** Those of a relation. */
export function timesOfRelation({ extra }: { readonly extra: string | null }): FactTimes {
  if (extra === null || !MEMBERS.some((member) => extra.includes(`"${member}"`))) return {};
  return JSON.parse(timesIn(JSON.parse(extra)) ?? "{}") as FactTimes; // as timesIn writes it
}

/** The unknown fields of a relation with other times. `times`: as formatTimes writes them. */
export function withTimes(extra: string | null, times: string): string {
  const fields = Object.entries(JSON.parse(extra ?? "{}") as object).filter(([key]) => !MEMBERS.some((member) => member === key));
  return JSON.stringify({ ...Object.fromEntries(fields), ...(JSON.parse(times) as FactTimes) });
}

/** When the fact holds: from validFrom to validTo, or on the one that is known; else when it was stated. Undefined where only its recording is known. */
export function periodOfFact({ validFrom, validTo, told }: FactTimes): Period | undefined {
  const from = validFrom ?? validTo;
  const to = validTo ?? validFrom;
  if (from !== undefined && to !== undefined) return { start: startOf(from), end: endOf(to) };
  return told === undefined ? undefined : periodOf(told);
}

/** "2019 to 2021-05", "since 2024" or "until 2024"; empty where neither end is known. */
export function describeValidity({ validFrom, validTo }: FactTimes): string {
  if (validFrom === undefined) return validTo === undefined ? "" : `until ${validTo}`;
  return validTo === undefined ? `since ${validFrom}` : `${validFrom} to ${validTo}`;
}

/** All of them: "since 2024, said 2024-05-03". */
export function describeTimes(times: FactTimes): string {
  const { told: stated } = times;
  return [describeValidity(times), stated === undefined ? "" : `said ${stated}`].filter((part) => part !== "").join(", ");
}

/** Whether the fact holds at a moment, as far as its own times tell. */
export function holdsAt({ validFrom, validTo, told }: FactTimes, time: number): boolean {
  const first = validFrom ?? told;
  return (first === undefined || startOf(first) <= time) && (validTo === undefined || endOf(validTo) >= time);
}

/** The times of a fact that another one replaces: it ends before that one begins. */
export function endedBefore(replaced: Pick<ObservationRow, "text" | "times">, by: FactTimes): string | undefined {
  const { validFrom, validTo } = timesOf(replaced);
  const next = by.validFrom ?? by.told;
  if (validTo !== undefined || next === undefined) return undefined;
  const last = new Date(startOf(next) - 1).toISOString().slice(0, Math.min(next.length, DATE_LENGTH));
  if (validFrom !== undefined && startOf(validFrom) > endOf(last)) return undefined;
  return JSON.stringify({ ...storedTimes(replaced), validTo: last });
}

const DATE_LENGTH = "2026-05-31".length;

const startOf = (text: string): number => periodOf(text)?.start ?? Number.NEGATIVE_INFINITY;
const endOf = (text: string): number => periodOf(text)?.end ?? Number.POSITIVE_INFINITY;

const DAY_MS = 86_400_000;
const TIME = /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?)?)?$/;

/** A year, month, day or moment in UTC; undefined for another text. */
export function periodOf(text: string): Period | undefined {
  const [, year, month, day, time, zone = "Z"] = TIME.exec(text.trim()) ?? [];
  if (year === undefined) return undefined;
  const start = Date.UTC(Number(year), Number(month ?? 1) - 1, Number(day ?? 1));
  const date = `${year}-${month ?? "01"}-${day ?? "01"}`;
  // Date.UTC reads the 30th of February as the 2nd of March.
  if (!new Date(start).toISOString().startsWith(date)) return undefined;
  if (month === undefined) return { start, end: Date.UTC(Number(year) + 1, 0) - 1 };
  if (day === undefined) return { start, end: Date.UTC(Number(year), Number(month)) - 1 };
  if (time === undefined) return { start, end: start + DAY_MS - 1 };
  const moment = Date.parse(`${date}T${time}${zone.replace(/^([+-]\d{2})(\d{2})$/, "$1:$2")}`);
  return Number.isNaN(moment) ? undefined : { start: moment, end: moment };
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH = "(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.?";
const ISO_DATE = /^[[(]?(\d{4})[-/](\d{2})[-/](\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d{1,9})?(Z|[+-]\d{2}:?\d{2})?)?[\])]?(?![\w/-])/;
/** Chats put the time of day first: 1:56 pm on 8 May, 2023. */
const BEFORE_DATE = String.raw`^[[(]?(?:\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\.?)?,? )?(?:on )?[[(]?`;
const DAY_FIRST = new RegExp(String.raw`${BEFORE_DATE}(\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH},? (\d{4})\b`, "i");
const MONTH_FIRST = new RegExp(String.raw`${BEFORE_DATE}${MONTH} (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b`, "i");

/** The date with which a text begins: 2023-05-08, [2023-05-08 13:56], 8 May 2023, May 8, 2023 or 1:56 pm on 8 May 2023. */
export function leadingDate(text: string): string | undefined {
  const [, year, month, day, time, zone = ""] = ISO_DATE.exec(text) ?? [];
  const written = year === undefined ? namedDate(text) : `${year}-${month}-${day}${time === undefined ? "" : `T${time}${zone}`}`;
  return written === undefined || periodOf(written) === undefined ? undefined : written;
}

/** What follows the date with which a text begins; the whole text where nothing does. */
export function withoutLeadingDate(text: string): string {
  if (leadingDate(text) === undefined) return text;
  const [date = ""] = ISO_DATE.exec(text) ?? DAY_FIRST.exec(text) ?? MONTH_FIRST.exec(text) ?? [];
  const rest = text.slice(date.length).replace(/^[\s\])}:;,.|–—-]+/u, "");
  return rest === "" ? text : rest;
}

function namedDate(text: string): string | undefined {
  const [, day, month, year] = DAY_FIRST.exec(text) ?? [];
  const [, otherMonth, otherDay, otherYear] = MONTH_FIRST.exec(text) ?? [];
  const name = month ?? otherMonth;
  if (name === undefined) return undefined;
  const number = String(MONTHS.indexOf(name.toLowerCase()) + 1).padStart(2, "0");
  return `${year ?? otherYear}-${number}-${(day ?? otherDay ?? "").padStart(2, "0")}`;
}
