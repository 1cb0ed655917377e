// The first pass over a CSV file: its columns, and what their values have in common.
import { clip } from "@oarlock/domain-kit";
import { ColumnProfile, type ValueFormats } from "./column-profile.ts";
import { refusal } from "../errors.ts";
import { isNull, type Field } from "./dialect.ts";
import { isBlankLine, malformed, type CsvSource } from "./source/csv-source.ts";
import { columnNames } from "./table-header.ts";

export interface FileProfile {
  readonly names: readonly string[];
  /** One for each name. */
  readonly columns: readonly ColumnProfile[];
  /** Rows with fewer fields than the header, whose missing values are NULL. */
  readonly shortRows: number;
  /** Of the first ones. */
  readonly shortLines: readonly number[];
  /** Rows with more fields than the header, which are left out: their number, and the first ones. */
  readonly longRows: { readonly count: number; readonly first: readonly string[] };
  /** Rows that hold the names once more, as files have them that were joined or printed by pages. */
  readonly repeatedHeaders: readonly number[];
  /** Rows before it that begin with such a word alone. */
  readonly subtotals: readonly number[];
  /** The last row, where a word such as "Total" begins it. */
  readonly total: { readonly row: number; readonly text: string } | undefined;
}

const TOTAL =
  /^(?:(?:grand |sub)?totals?|totale|totaux|summen?|gesamt(?:summe|betrag)?|zwischensumme|somme|suma|(?:end|schluss)?saldo|(?:closing )?balance)\b/i;

/** What is done with the rows before their values are read. */
export interface RowOptions {
  /** Leaves rows out that repeat the header. */
  readonly skipsRepeatedHeaders: boolean;
  /** Leaves rows out that have more values than the header has names. Such a row is an error otherwise. */
  readonly skipsLongRows: boolean;
  /** Bare fields that are NULL. */
  readonly nulls: ReadonlySet<string>;
}

export async function profileFile(source: CsvSource, formats: ValueFormats, options: RowOptions): Promise<FileProfile> {
  let names: string[] | undefined;
  let columns: ColumnProfile[] = [];
  let [lastRow, shortRows] = [0, 0];
  const shortLines: number[] = [];
  const repeatedHeaders: number[] = [];
  const subtotals: number[] = [];
  let last: readonly Field[] = [];
  const longRows = { count: 0, first: [] as string[] };
  for await (const { fields, row, line, repeatsHeader, isShort, isLong } of recordsOf(source, options)) {
    if (names === undefined) {
      names = columnNames(fields, source.layout);
      columns = names.map(() => new ColumnProfile(formats));
    }
    if (row === 0) continue;
    if (isLong) {
      longRows.count += 1;
      if (longRows.first.length < MAX_LONG_ROWS)
        longRows.first.push(`line ${line} ${excerptOf(fields, source.layout.delimiter, MAX_LONG_EXCERPT)}`);
      continue;
    }
    if (repeatsHeader) repeatedHeaders.push(row);
    if (repeatsHeader && options.skipsRepeatedHeaders) continue;
    if (row > 1 && isSubtotal(textOf(last))) subtotals.push(lastRow);
    [lastRow, last] = [row, fields];
    if (isShort) shortRows += 1;
    if (isShort && shortLines.length < MAX_SHORT_LINES) shortLines.push(line);
    for (const [index, column] of columns.entries()) column.add(fields[index] ?? MISSING, row);
  }
  if (names === undefined)
    throw refusal("The file is empty: expected a line of names or values. Nothing was imported. Check that it was written completely.");
  // A delimiter at the end of each line begins a column without a name or a value.
  while (names.length > 1 && names.at(-1) === `column_${names.length}` && columns[names.length - 1]?.isEmpty === true) names.pop();
  const text = textOf(last);
  const total = lastRow > 1 && TOTAL.test(text) ? { row: lastRow, text } : undefined;
  return { names, columns: columns.slice(0, names.length), shortRows, shortLines, longRows, repeatedHeaders, subtotals, total };
}

const textOf = (fields: readonly Field[]): string => fields.find(({ text }) => text.trim() !== "")?.text.trim() ?? "";

const isSubtotal = (text: string): boolean => text !== "" && text.replace(TOTAL, "").replace(":", "") === "";

/** Characters of a record that an error shows. */
const MAX_EXCERPT = 80;
/** Of a row that is left out, which the caller may add as it is meant. */
const MAX_LONG_EXCERPT = 500;
const MAX_LONG_ROWS = 10;
const MAX_SHORT_LINES = 5;
const MISSING: Field = { text: "", isQuoted: false };

/** The rows below the header with their numbers and lines, each with as many fields as there are columns. */
export async function* rowsOf(
  source: CsvSource,
  width: number,
  options: RowOptions,
): AsyncGenerator<readonly [fields: Field[], row: number, line: number]> {
  for await (const { fields, row, line, repeatsHeader, isLong } of recordsOf(source, options))
    if (row > 0 && !isLong && !(repeatsHeader && options.skipsRepeatedHeaders))
      yield [Array.from({ length: width }, (_, index) => fields[index] ?? MISSING), row, line];
}

interface TableRecord {
  readonly fields: Field[];
  /** Counted from 1; 0 is the header. */
  readonly row: number;
  /** Of the file, where it begins. */
  readonly line: number;
  readonly repeatsHeader: boolean;
  readonly isShort: boolean;
  /** It is to be left out. */
  readonly isLong: boolean;
}

async function* recordsOf(source: CsvSource, { nulls, skipsLongRows }: RowOptions): AsyncGenerator<TableRecord> {
  const { hasHeader, hasUnnamedIndex, delimiter, skipLines } = source.layout;
  let [width, nextLine, row] = [0, skipLines + 1, 0];
  let header: readonly Field[] = [];
  for await (const fields of source.records()) {
    const line = nextLine;
    nextLine += 1 + fields.reduce((sum, { text }) => sum + text.split("\n").length - 1, 0);
    if (isBlankLine(fields, width)) continue;
    const isFirst = width === 0;
    if (isFirst) width = fields.length + (hasUnnamedIndex ? 1 : 0);
    const isHeader = isFirst && hasHeader;
    if (isHeader) header = fields;
    else row += 1;
    const isLong = !isHeader && fields.slice(width).some((field) => !isNull(field));
    if (isLong && !skipsLongRows)
      throw malformed(
        `line ${line} has ${fields.length} fields, the ${hasHeader ? "header" : "first one"} has ${width}: ${excerptOf(fields, delimiter)}`,
        "If a text there holds the separator without quotes, pass skip_long_rows: the reply gives such rows, to be added by write_query.",
      );
    const repeatsHeader = row > 0 && isSameText(fields, header);
    if (nulls.size > 0 && row > 0)
      for (const [index, { text, isQuoted }] of fields.entries()) if (!isQuoted && nulls.has(text.trim())) fields[index] = MISSING;
    yield { fields, row, line, repeatsHeader, isShort: !isHeader && fields.length < width, isLong };
  }
}

/** The start of a record, by which it is found in the file. */
const excerptOf = (fields: readonly Field[], delimiter: string, maxLength = MAX_EXCERPT): string =>
  `"${clip(fields.map(({ text }) => text).join(delimiter), maxLength)}"`;

const isSameText = (fields: readonly Field[], others: readonly Field[]): boolean =>
  others.length > 0 && others.every(({ text }, index) => text.trim() === fields[index]?.text.trim());
