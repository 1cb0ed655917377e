// Dates of a CSV file, read by a format such as `DD.MM.YYYY HH:mm` and written as SQLite's date functions take them.
import { clip } from "@oarlock/domain-kit";
import { refusal } from "../errors.ts";
import { monthOf } from "./month-names.ts";

/** What a letter of a format stands for. Formats of strftime, such as `%d.%m.%Y`, are translated. */
const PARTS: Readonly<Record<string, readonly [part: string, pattern: string]>> = {
  YYYY: ["year", "\\d{4}"],
  YY: ["shortYear", "\\d{2}"],
  MMM: ["monthName", "\\p{L}{3,10}\\.?"],
  MM: ["month", "\\d{1,2}"],
  M: ["month", "\\d{1,2}"],
  DD: ["day", "\\d{1,2}"],
  D: ["day", "\\d{1,2}"],
  HH: ["hour", "\\d{1,2}"],
  H: ["hour", "\\d{1,2}"],
  hh: ["hour", "\\d{1,2}"],
  h: ["hour", "\\d{1,2}"],
  mm: ["minute", "\\d{1,2}"],
  ss: ["second", "\\d{1,2}"],
  A: ["half", "[AaPp]\\.?[Mm]\\.?"],
};
const TOKEN = /YYYY|YY|MMMM?|MM?|DD?|HH?|hh?|mm|ss|A|[^]/gu;
const STRFTIME: Readonly<Record<string, string>> = {
  Y: "YYYY",
  y: "YY",
  m: "MM",
  b: "MMM",
  B: "MMM",
  d: "DD",
  H: "HH",
  I: "hh",
  M: "mm",
  S: "ss",
  p: "A",
};

export class DateFormat {
  readonly #pattern: RegExp;
  readonly #hasTime: boolean;

  /** @throws DbError for a format without year, month and day. */
  constructor(format: string) {
    const translated = format.replaceAll(/%(.)/g, (_, letter: string) => STRFTIME[letter] ?? letter);
    const tokens = (translated.match(TOKEN) ?? []).map((token) => (token === "MMMM" ? "MMM" : token));
    const parts = tokens.flatMap((token) => PARTS[token]?.[0] ?? []);
    const has = (part: string): boolean => parts.includes(part);
    if (!(has("year") || has("shortYear")) || has("month") === has("monthName") || !has("day") || new Set(parts).size < parts.length)
      throw refusal(
        `Invalid date_format: ${clip(format)} must have YYYY or YY, MM or MMM (a name), and DD once, such as DD.MM.YYYY or DD MMM YYYY HH:mm.`,
      );
    this.#hasTime = has("hour");
    const source = tokens.map((token) => {
      const [part, pattern] = PARTS[token] ?? [];
      return part === undefined ? token.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`) : `(?<${part}>${pattern})`;
    });
    this.#pattern = new RegExp(`^${source.join("")}$`, "u");
  }

  /** `2024-03-31` or, where the format has a time, `2024-03-31 15:04:05`; undefined where the text is not such a date. */
  toIso(text: string): string | undefined {
    const found = this.#pattern.exec(text.trim())?.groups;
    if (found === undefined) return undefined;
    const at = (part: string): number => Number(found[part] ?? 0);
    const year = found["year"] === undefined ? fullYear(at("shortYear")) : at("year");
    const month = found["monthName"] === undefined ? at("month") : (monthOf(found["monthName"]) ?? 0);
    const day = at("day");
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || year === 0) return undefined;
    const iso = `${padded(year, 4)}-${padded(month)}-${padded(day)}`;
    if (!this.#hasTime) return iso;
    const hour = hourOf(at("hour"), found["half"]);
    if (hour === undefined || at("minute") > 59 || at("second") > 59) return undefined;
    return `${iso} ${padded(hour)}:${padded(at("minute"))}:${padded(at("second"))}`;
  }
}

const padded = (value: number, digits = 2): string => String(value).padStart(digits, "0");

/** As POSIX has it: 69 to 99 belong to the last century. */
const fullYear = (year: number): number => (year < 69 ? 2000 : 1900) + year;

function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour < 24 ? hour : undefined;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (/^p/i.test(half) ? 12 : 0);
}
