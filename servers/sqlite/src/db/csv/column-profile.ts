// What all fields of one column have in common, gathered over the whole file before a row is written.
import { blobOf, isInteger64, isNull, numberOf, type Field } from "./dialect.ts";
import { DateFormat } from "./date-format.ts";
import {
  convertedByAffinity,
  dateIn,
  hasUnit,
  isBracketed,
  isCode,
  isCompactDate,
  isGrouped,
  isNullMark,
  isSerialDate,
  isShortenedNumber,
  numberIn,
  timeFormat,
  type DecimalMark,
} from "./value-kinds.ts";

/** How the caller reads numbers and dates. */
export interface ValueFormats {
  readonly decimal?: DecimalMark | undefined;
  readonly date?: DateFormat | undefined;
}

/** A value that stays a text in a column of numbers or dates. */
export interface Leftover {
  readonly text: string;
  readonly row: number;
}

const DATE_FORMATS = [
  "DD.MM.YYYY",
  "MM/DD/YYYY",
  "DD/MM/YYYY",
  "DD-MM-YYYY",
  "MM-DD-YYYY",
  "YYYY/MM/DD",
  "DD.MM.YY",
  "MM/DD/YY",
  "DD/MM/YY",
  "DD MMM YYYY",
  "DD. MMM YYYY",
  "DD-MMM-YYYY",
  "DD-MMM-YY",
  "DD/MMM/YYYY",
  "MMM DD, YYYY",
  "MMM DD YYYY",
].map((format) => ({ format, date: new DateFormat(format) }));
/** The rows by which columns of texts are recognized as numbers or dates. */
const LOOKED_AT = 10_000;
const NAMED_LEFTOVERS = 3;

export class ColumnProfile {
  /** Fields with a value. */
  filled = 0;
  blobs = 0;
  texts = 0;
  integers = 0;
  /** Numbers whose digits come back as they are written here. */
  exactReals = 0;
  /** Of these, such as `1.0`, which a column of type NUMERIC would keep as 1. */
  wholeReals = 0;
  /** Of the exact ones, such as `1.234`, whose point may group thousands; and integers that are not grouped so. */
  groupedReals = 0;
  longIntegers = 0;
  codes = 0;
  looked = 0;
  /** Numbers with a currency or a percent sign. */
  withUnit = 0;
  /** Of these, those in brackets. */
  bracketed = 0;
  /** Numbers whose last digits a spreadsheet has left out. */
  shortened = 0;
  /** Values that still have quotes around and inside them: the file may not double the inner ones. */
  brokenQuotes = 0;
  firstBrokenQuote: Leftover | undefined;
  /** How often each text stands that may mean NULL. */
  readonly nullMarks = new Map<string, number>();
  /** Texts as spreadsheets mark them: `="0012"`. */
  marked = 0;
  /** The first that is not a number. */
  firstWord: string | undefined;
  /** With blanks around it. */
  padded = 0;
  readonly numbers: Record<DecimalMark, number> = { ".": 0, ",": 0 };
  dateLike = 0;
  readonly dates = new Map<string, number>();
  /** Of these, those that SQLite's functions take. */
  isoDates = 0;
  /** Numbers that may be days: written as `20240131`, and as spreadsheets store them. */
  compactDates = 0;
  serialDates = 0;
  /** The first of each form, by what stands between its digits and what reads it. */
  readonly dateForms = new Map<string, string>();
  example = "";
  /** Fields that the caller's formats read as a number or a date, and of the numbers those with decimals, groups or blanks. */
  readonly read = { number: 0, integers: 0, unlikeSqlite: 0, date: 0 };
  /** Whether SQLite would convert a field that is not a number in the caller's format. */
  hasConvertibleRest = false;
  readonly #rest = { number: new Rest(), date: new Rest() };
  readonly #formats: ValueFormats;

  constructor(formats: ValueFormats) {
    this.#formats = formats;
  }

  /** @param row Counted from 1, without the header. */
  add(field: Field, row: number): void {
    if (isNull(field) || field.text === "") return;
    if (blobOf(field) !== undefined) {
      this.blobs += 1;
      return;
    }
    this.filled += 1;
    const { text } = field;
    if (isCode(text)) this.codes += 1;
    if (/^".*".*"$/s.test(text)) {
      this.brokenQuotes += 1;
      this.firstBrokenQuote ??= { text, row };
    }
    this.#addExact(field);
    if (this.looked < LOOKED_AT) this.#look(text);
    const { decimal, date } = this.#formats;
    if (decimal !== undefined) this.#readNumber(text, decimal, row);
    if (date !== undefined && date.toIso(text) !== undefined) this.read.date += 1;
    else if (date !== undefined) this.#rest.date.add(text, row);
  }

  get isEmpty(): boolean {
    return this.filled === 0 && this.blobs === 0;
  }

  /** How many values stay texts where the column is read in the caller's format, and the first of them. */
  rest(as: "number" | "date"): { readonly count: number; readonly first: readonly Leftover[] } {
    return this.#rest[as];
  }

  #addExact(field: Field): void {
    const number = numberOf(field) ?? (/^-?Infinity$/.test(field.text) && !field.isQuoted ? Infinity : undefined);
    if (number === undefined) this.texts += 1;
    else if (isInteger64(field.text)) {
      this.integers += 1;
      if (field.text.length > 3) this.longIntegers += 1;
    } else {
      this.exactReals += 1;
      if (isGrouped(field.text)) this.groupedReals += 1;
      if (Number.isInteger(number)) this.wholeReals += 1;
    }
  }

  #look(text: string): void {
    this.looked += 1;
    if (this.example === "") this.example = text;
    if (hasUnit(text)) this.withUnit += 1;
    if (isBracketed(text)) this.bracketed += 1;
    if (isShortenedNumber(text)) this.shortened += 1;
    if (/^=".*"$/s.test(text)) this.marked += 1;
    if (text.trim() !== text) this.padded += 1;
    const marks = ([".", ","] as const).filter((mark) => numberIn(text, mark) !== undefined);
    for (const mark of marks) this.numbers[mark] += 1;
    if (marks.length === 0) this.firstWord ??= text;
    if (isNullMark(text)) count(this.nullMarks, text.trim());
    if (isCompactDate(text)) this.compactDates += 1;
    if (isSerialDate(text)) this.serialDates += 1;
    const found = dateIn(text);
    if (found === undefined) return;
    const { day, time } = found;
    this.dateLike += 1;
    if (/^\d{4}-\d\d-\d\d$/.test(day)) this.isoDates += 1;
    const end = timeFormat(time);
    const formats = end === undefined ? [] : DATE_FORMATS.filter(({ date }) => date.toIso(day) !== undefined);
    for (const { format } of formats) count(this.dates, format + end);
    const shape = text.replaceAll(/\d+|\p{L}{2,}/gu, (part) => (/\d/.test(part) ? (part.length > 2 ? "Y" : "0") : "A"));
    // 31/01/2024 and 01/31/2024 look alike, and are two forms.
    const form = [shape, ...formats.map(({ format }) => format)].join();
    if (this.dateForms.size < 10 && !this.dateForms.has(form)) this.dateForms.set(form, text);
  }

  #readNumber(text: string, decimal: DecimalMark, row: number): void {
    if (numberIn(text, decimal) === undefined) {
      this.hasConvertibleRest ||= convertedByAffinity(text);
      this.#rest.number.add(text, row);
      return;
    }
    this.read.number += 1;
    if (isInteger64(text.trim())) this.read.integers += 1;
    if (!isInteger64(text)) this.read.unlikeSqlite += 1;
  }
}

const count = (counts: Map<string, number>, text: string): unknown => counts.set(text, (counts.get(text) ?? 0) + 1);

class Rest {
  count = 0;
  readonly first: Leftover[] = [];

  add(text: string, row: number): void {
    this.count += 1;
    if (this.first.length < NAMED_LEFTOVERS) this.first.push({ text, row });
  }
}
