// What a text of a CSV file looks like to a person: a number or a date in one of the usual spellings.
import { monthOf } from "./month-names.ts";

/** What stands before the decimals of a number. */
export type DecimalMark = "." | ",";

/** Digits perhaps in groups of three, decimals. No zero before other digits: those are codes, such as postal ones. */
const NUMBERS: Readonly<Record<DecimalMark, RegExp>> = {
  ".": /^(?:[1-9]\d{0,2}(?:[,'\u2019 \u00a0\u202f]\d{3})+|0|[1-9]\d{0,14})?(?:\.\d+)?(?:e[+-]?\d{1,3})?$/i,
  ",": /^(?:[1-9]\d{0,2}(?:[.'\u2019 \u00a0\u202f]\d{3})+|0|[1-9]\d{0,14})?(?:,\d+)?(?:e[+-]?\d{1,3})?$/i,
};

/** The number that a text is with this decimal mark; undefined where it is none, or has more digits than a REAL keeps. */
export function numberIn(text: string, mark: DecimalMark): number | undefined {
  const { digits: written, isNegative } = withoutSign(text.trim());
  if (!/\d/.test(written) || !NUMBERS[mark].test(written)) return undefined;
  const digits = written.replaceAll(mark === "," ? /[.'\u2019 \u00a0\u202f]/g : /[,'\u2019 \u00a0\u202f]/g, "").replace(",", ".");
  const number = Number(digits);
  if (!Number.isFinite(number) || digits.replaceAll(/\D/g, "").length > 15) return undefined;
  return isNegative ? -number : number;
}

/** A sign stands before or behind the digits, perhaps as the character for minus. Brackets mean minus around an amount; `(1)` is a footnote. */
function withoutSign(text: string): { digits: string; isNegative: boolean } {
  const amount = /^\((\d.*\D\d+)\)$/.exec(text)?.[1];
  if (amount !== undefined) return { digits: amount, isNegative: true };
  const [, before, digits = text, after] = /^(?:([-+\u2212])[ \u00a0]?)?([^-+\u2212].*?)([-+\u2212])?$/.exec(text) ?? [];
  if (before !== undefined && after !== undefined) return { digits: text, isNegative: false };
  const sign = before ?? after;
  return { digits, isNegative: sign === "-" || sign === "\u2212" };
}

/** Whether a point may be a decimal mark or group thousands. */
export const isGrouped = (text: string): boolean => /^[-+]?[1-9]\d{0,2}\.\d{3}$/.test(text.trim());

const UNIT = /^(?:[$€£¥%]|[A-Z]{3})\s?|\s?(?:[$€£¥%]|[A-Z]{3})$|\s[a-zµ°]{1,3}[²³]?$/u;

/** Brackets around an amount mean minus: `($99.00)`. */
export const isBracketed = (text: string): boolean => /^\s*\(.*\d.*\)\s*$/s.test(text) && hasUnit(text);

/** Whether a text is a number with a currency, a percent sign or a unit. */
export function hasUnit(text: string): boolean {
  const trimmed = text.trim();
  // Spreadsheets write a zero of an account so.
  if (/^(?:[$€£¥]\s*-|-\s*[$€£¥])$/.test(trimmed)) return true;
  const [, sign = "", rest = ""] = /^([-+\u2212]?)(.*)$/s.exec(/^\((.*)\)$/s.exec(trimmed)?.[1]?.trim() ?? trimmed) ?? [];
  const digits = rest.replace(UNIT, "");
  return digits !== rest && (numberIn(sign + digits, ".") !== undefined || numberIn(sign + digits, ",") !== undefined);
}

/** Digits that are not a quantity, because a zero begins them. */
export const isCode = (text: string): boolean => /^0\d+$/.test(text.trim());

/** A time of day behind a date. */
const TIME = /(?:T|,? )\d{1,2}:\d{2}.*$/;
const DATE = /^\d{1,4}([-./])\d{1,2}\1\d{1,4}$/;
/** Perhaps with the day of the week before it, or without a day: `3. März 2024`, `12-JAN-24`, `Mar 3, 2024`, `Mar-24`. */
const NAMED_DATE = /^(?:\p{L}{2,10}\.?,? )?(?:\d{1,2}\.?[-/. ]?)?(?<month>\p{L}{3,10})\.?(?:[-/. ]?\d{1,2}(?=,? ))?[-/., ]{0,2}\d{2,4}$/u;

/** The date of a text that is one, and the time behind it. */
export function dateIn(text: string): { readonly day: string; readonly time: string } | undefined {
  const trimmed = text.trim();
  const time = TIME.exec(trimmed)?.[0] ?? "";
  const day = trimmed.slice(0, trimmed.length - time.length);
  if (DATE.test(day)) return { day, time };
  const month = NAMED_DATE.exec(day)?.groups?.["month"];
  return month !== undefined && monthOf(month) !== undefined ? { day, time } : undefined;
}

const COMPACT_DATE = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;

/** A day as `20240131`. */
export const isCompactDate = (text: string): boolean => COMPACT_DATE.test(text.trim());

/** A day of the years 1954 to 2064 as spreadsheets store it: the days since 1899-12-30, perhaps with the time as decimals. */
export const isSerialDate = (text: string): boolean => /^[2-5]\d{4}(?:\.\d+)?$/.test(text.trim());

/** Whether the name of a column is about days, in some of the languages of Europe. */
export const isNamedLikeDate = (name: string): boolean =>
  /dat(?:e|um|a)(?![a-z])|day|fecha|jour|\btag\b|d[ií]a\b|giorno|_at$|\b(?:am|on)$/i.test(name);

/** How `date_format` names a time behind a date; undefined for one that it cannot read, such as one with a zone. */
export function timeFormat(time: string): string | undefined {
  if (time === "") return "";
  const [, separator, seconds = "", blank, half] = /^(T|,? )\d{1,2}:\d{2}(:\d{2})?(?:( ?)([AP])\.?M\.?)?$/i.exec(time) ?? [];
  if (separator === undefined) return undefined;
  return `${separator}${half === undefined ? "HH" : "hh"}:mm${seconds && ":ss"}${half === undefined ? "" : `${blank}A`}`;
}

/** Names of columns are months at times, and not days. */
const isDay = (text: string): boolean => /\d\D+\d/.test(dateIn(text)?.day ?? "");

/** Texts that programs write for a missing value, including the errors of spreadsheets: `#DIV/0!`, `#BEZUG!`. */
export const isNullMark = (text: string): boolean =>
  /^(?:null|\\N|n\/?a|nan|nat|<NA>|None|#(?:N\/[AD]|NV|[A-Z/0]{2,10}[!?]))$/i.test(text.trim());

/** Coarsely, for telling names from values. */
export function kindOf(text: string): "none" | "number" | "date" | "text" {
  const trimmed = text.trim();
  if (trimmed === "") return "none";
  if (isDay(trimmed)) return "date";
  return /^\d+$/.test(trimmed) || numberIn(trimmed, ".") !== undefined || numberIn(trimmed, ",") !== undefined ? "number" : "text";
}

/** A long number of which a spreadsheet has kept six digits: `4.00631E+12`. */
export const isShortenedNumber = (text: string): boolean => /^\s*\d[.,]\d{1,5}E\+(?:0[89]|1\d)\s*$/i.test(text);

/** Whether SQLite converts a text in a column with numeric affinity: https://sqlite.org/datatype3.html#type_affinity */
export const convertedByAffinity = (text: string): boolean => /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/.test(text);
