// Dates and times as people and messengers write them, in UTC.
import { leadingDate, periodOf } from "../../../graph/rows/fact-times.ts";

export interface LineDate {
  /** The beginning of the day, in milliseconds since 1970. */
  readonly day?: number;
  /** Milliseconds since then. */
  readonly time?: number;
  /** The date as it stands in the text; empty where only the time does. */
  readonly written: string;
}

const MINUTE_MS = 60_000;
const TIME = /\b(\d{1,2}):(\d{2})(?::\d{2})?(?:\s?([ap])\.?m\b)?/i;
const DATE = /\d{4}[-/]\d{2}[-/]\d{2}|\d{1,2}(?:st|nd|rd|th)?(?: of)? [a-z]{3,9}\.?,? \d{4}|[a-z]{3,9}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}/i;
/** Day and month; the month comes first only where the second number cannot be one. */
const NUMBERS = /\b(\d{1,2})([/.])(\d{1,2})\2(\d{4}|\d{2})\b/;

/** Undefined for a text with neither. */
export function dateIn(text: string): LineDate | undefined {
  const time = timeIn(text);
  const { day, written } = dayIn(text);
  if (day === undefined && time === undefined) return undefined;
  return { written, ...(day !== undefined && { day }), ...(time !== undefined && { time }) };
}

function timeIn(text: string): number | undefined {
  const [, hours, minutes, half] = TIME.exec(text) ?? [];
  if (hours === undefined) return undefined;
  const isAfternoon = half?.toLowerCase() === "p";
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (isAfternoon ? 12 : 0);
  return hour > 23 || Number(minutes) > 59 ? undefined : (hour * 60 + Number(minutes)) * MINUTE_MS;
}

function dayIn(text: string): { day: number | undefined; written: string } {
  const [written = ""] = DATE.exec(text) ?? [];
  const named = written === "" ? undefined : leadingDate(written);
  if (named !== undefined) return { day: periodOf(named)?.start, written };
  const [numbers = "", first = "", , second = "", year = ""] = NUMBERS.exec(text) ?? [];
  const [month, day] = Number(second) > 12 ? [first, second] : [second, first];
  const iso = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return { day: numbers === "" ? undefined : periodOf(iso)?.start, written: numbers };
}
