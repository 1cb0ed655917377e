// How a CSV file is laid out: what separates and quotes its fields, which lines come before its table, and whether the first row names the columns.
import { fieldOf, type Field } from "../dialect.ts";
import { kindOf } from "../value-kinds.ts";
import { isBlank, splitRecords, type SampleRecord, type Separators } from "./split-records.ts";

/** The escape is the backslash where quotes in a field are `\"`, as MySQL writes them. */
export interface Layout extends Separators {
  /** Lines before the table. */
  readonly skipLines: number;
  readonly hasHeader: boolean;
  /** The program that wrote the file quotes every field, so quotes do not mark text. */
  readonly quotesEverything: boolean;
  /** The first field of each row is its number, which the header leaves out, as R writes it. */
  readonly hasUnnamedIndex: boolean;
}

/** What the caller knows about the file. */
export interface GivenLayout {
  readonly delimiter?: string | undefined;
  readonly skipLines?: number | undefined;
  readonly header?: boolean | undefined;
}

const DELIMITERS = [",", ";", "\t", "|"];
/** Lines of text before a table, at most. */
const MAX_PREAMBLE = 50;
/** Lines of text below a table, at most. */
const MAX_LINES_BELOW = 10;
/** The share of records in which a delimiter stands. */
const SEPARATED_SHARE = 0.8;
/** In a table of fewer rows none may have another width. */
const MIN_ROWS_WITH_ODD_ONE = 5;

/** @param sample The first part of the text, up to a line's end unless it is all. */
export async function detectLayout(sample: string, given: GivenLayout): Promise<Layout> {
  const named = /^"?sep=(.)"?(?:\r\n|\r|\n)/i.exec(sample)?.[1];
  // DATEV's exports begin with a line about the file itself.
  const isDatev = /^"?(?:EXTF|DTVF)"?;/.test(sample);
  const skipped = given.skipLines ?? (named !== undefined || isDatev ? 1 : 0);
  const text = withoutLines(sample, skipped);
  const quote = usesSingleQuotes(text) ? "'" : '"';
  const escape = quote === '"' && /[^",;\t|\r\n]\\"[^",;\t|\r\n]/.test(text) ? "\\" : quote;
  const delimiters = given.delimiter === undefined ? (named === undefined ? DELIMITERS : [named]) : [given.delimiter];
  const candidates = await Promise.all(
    delimiters.map(async (delimiter) => tableIn(await splitRecords(text, { delimiter, quote, escape }), delimiter)),
  );
  const isBetter = (two: Table, one: Table): boolean =>
    two.coverage > one.coverage || (two.coverage === one.coverage && two.width > one.width);
  const detected = candidates.reduce((one, two) => (isBetter(two, one) ? two : one));
  const best = detected.coverage > 0 ? detected : candidates.map(raggedTable).reduce((one, two) => (isBetter(two, one) ? two : one));
  const isPreambleKnown = given.skipLines !== undefined || skipped > 0;
  const { records, first } = isPreambleKnown ? { ...best, first: 0 } : best;
  const table = records.slice(first).map(({ fields }) => fields);
  const [head = [], ...rows] = table.filter((fields) => !isBlank(fields));
  const hasHeader = given.header ?? !isData(head, rows);
  return {
    delimiter: best.delimiter,
    quote,
    escape,
    skipLines: skipped + (records[first]?.line ?? 0),
    hasHeader,
    quotesEverything: quotesEverything(head, rows, hasHeader),
    hasUnnamedIndex:
      hasHeader &&
      head.length > 1 &&
      rows.length > 0 &&
      rows.every((row, index) => row.length > head.length && row[0]?.text === String(index + 1) && row.at(-1)?.text !== ""),
  };
}

/** What follows this many lines. */
export function withoutLines(text: string, lines: number): string {
  const end = /\r\n|\r|\n/g;
  for (let line = 0; line < lines; line += 1) if (end.exec(text) === null) return "";
  return text.slice(end.lastIndex);
}

/** Whether fields stand in single quotes: several begin and end with one, and none with a double quote. */
function usesSingleQuotes(text: string): boolean {
  const quoted = text.match(/(?<=^|[,;\t|])'(?:[^'\r\n]|'')*'(?=[,;\t|]|\r|\n|$)/gm)?.length ?? 0;
  return quoted > 1 && !/(?:^|[,;\t|])"/m.test(text);
}

interface Table {
  readonly delimiter: string;
  readonly records: readonly SampleRecord[];
  /** The index of the first record of the table. */
  readonly first: number;
  readonly width: number;
  /** The share of the records that have the width of the table. */
  readonly coverage: number;
}

/** The table among these records: where most of what follows is as wide as its first record. */
function tableIn(records: readonly SampleRecord[], delimiter: string): Table {
  const all = records.flatMap(({ fields }, index) => (isBlank(fields) ? [] : [{ index, fields }]));
  // Lines of text below the table are named later, as short rows.
  const filled = all.slice(0, Math.max(all.findLastIndex(({ fields }) => fields.length > 1) + 1, all.length - MAX_LINES_BELOW));
  for (const [at, { index, fields }] of filled.slice(0, MAX_PREAMBLE).entries()) {
    const width = fields.length;
    const rows = filled.slice(at);
    const alike = rows.filter((row, number) => row.fields.length === width || hasOneMore(row.fields, width, number)).length;
    if (width < 2 || alike < mostOf(rows.length) || (at > 0 && rows.length < 2)) continue;
    const coverage = alike / filled.length;
    if (at === 0) return { delimiter, records, first: 0, width, coverage };
    const isApart = isBlank(records[index - 1]?.fields ?? []);
    const isNarrow =
      width > 2 && filled.slice(0, at).every((before) => before.fields.filter(({ text }) => text !== "").length * 2 <= width);
    // Lines are left out only above a line of names: a header that is too short is an error to report.
    const isHeader = !isData(
      fields,
      rows.slice(1).map((row) => row.fields),
    );
    const isCommented = filled.slice(0, at).every((before) => /^#./.test(before.fields[0]?.text ?? ""));
    if (isHeader && (isApart || isNarrow || isCommented)) return { delimiter, records, first: index, width, coverage };
  }
  return { delimiter, records, first: 0, width: 1, coverage: 0 };
}

/** Of a delimiter that separates fields in nearly every record, whatever their number: short and long rows are named later, by their lines. */
function raggedTable(table: Table): Table {
  const filled = table.records.filter(({ fields }) => !isBlank(fields));
  const width = filled[0]?.fields.length ?? 1;
  const separated = filled.filter(({ fields }) => fields.length > 1).length;
  if (width < 2 || separated < filled.length * SEPARATED_SHARE) return table;
  return { ...table, width, coverage: filled.filter(({ fields }) => fields.length === width).length / filled.length };
}

/** Nine of ten; one of some may be odd, such as a row with a delimiter in a text without quotes, which is then named. */
const mostOf = (rows: number): number => (rows < MIN_ROWS_WITH_ODD_ONE ? rows : Math.min(rows * 0.9, rows - 1));

/** A row has one field more than the header where a delimiter ends it, or where its number begins it. */
const hasOneMore = (row: readonly Field[], width: number, number: number): boolean =>
  row.length === width + 1 && (row.at(-1)?.text === "" || row[0]?.text === String(number));

/** Whether the first row holds values like those below it, and no names. */
function isData(head: readonly Field[], rows: readonly (readonly Field[])[]): boolean {
  if (rows.length === 0) return false;
  // Where values are bare, quotes say that a number is a name.
  const isBare = (column: number): boolean => rows.some((row) => row[column]?.isQuoted === false && row[column].text !== "");
  const kinds = head.map(({ text, isQuoted }, column) => (isQuoted && isBare(column) ? "text" : kindOf(text)));
  if (kinds.every((kind) => kind === "text" || kind === "none")) return false;
  const below = head.map(
    (_, column) => new Set(rows.flatMap((row) => (row[column] === undefined || row[column].text === "" ? [] : [kindOf(row[column].text)]))),
  );
  const isAlike = kinds.every((kind, column) => kind === "none" || below[column]?.size === 0 || below[column]?.has(kind));
  const numbers = head.filter((_, column) => kinds[column] === "number").map(({ text }) => text);
  // Years above the columns of a table are names.
  const areYears = numbers.length > 1 && new Set(numbers).size === numbers.length && numbers.every((text) => /^(?:19|20)\d\d$/.test(text));
  return isAlike && !areYears;
}

function quotesEverything(head: readonly Field[], rows: readonly (readonly Field[])[], hasHeader: boolean): boolean {
  const isPlain = ({ text }: Field): boolean => !fieldOf(text).isQuoted && !/[",;\t|\r\n]/.test(text);
  const filled = rows.flat().filter(({ text }) => text !== "");
  if (filled.length === 0 || filled.some(({ isQuoted }) => !isQuoted)) return false;
  return head.every(({ isQuoted }) => isQuoted) && (hasHeader ? head.some(isPlain) : true);
}
