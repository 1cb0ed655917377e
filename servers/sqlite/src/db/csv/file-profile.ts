// The first pass over a CSV file: its columns, and what their values have in common.
import { ColumnProfile, type ValueFormats } from "./column-profile.ts";
import { isNull, type Field } from "./dialect.ts";
import { isBlankLine, malformed, type CsvSource } from "./source/csv-source.ts";
import { columnNames } from "./table-header.ts";

export interface FileProfile {
  readonly names: readonly string[];
  /** One for each name. */
  readonly columns: readonly ColumnProfile[];
  /** Rows with fewer fields than the header, whose missing values are NULL. */
  readonly shortRows: number;
  readonly firstShortRow: number | undefined;
  /** The last row, where a word such as "Total" begins it. */
  readonly total: { readonly row: number; readonly text: string } | undefined;
}

const TOTAL =
  /^(?:(?:grand |sub)?totals?|totale|totaux|summen?|gesamt(?:summe|betrag)?|zwischensumme|somme|suma|(?:end|schluss)?saldo|(?:closing )?balance)\b/i;

export async function profileFile(source: CsvSource, formats: ValueFormats): Promise<FileProfile> {
  let names: string[] | undefined;
  let columns: ColumnProfile[] = [];
  let [row, shortRows] = [0, 0];
  let firstShortRow: number | undefined;
  let last: readonly Field[] = [];
  for await (const { fields, isHeader, isShort } of recordsOf(source)) {
    if (names === undefined) {
      names = columnNames(fields, source.layout);
      columns = names.map(() => new ColumnProfile(formats));
    }
    if (isHeader) continue;
    row += 1;
    last = fields;
    if (isShort) [shortRows, firstShortRow] = [shortRows + 1, firstShortRow ?? row];
    for (const [index, column] of columns.entries()) column.add(fields[index] ?? MISSING, row);
  }
  if (names === undefined) throw malformed("it is empty");
  // A delimiter at the end of each line begins a column without a name or a value.
  while (names.length > 1 && names.at(-1) === `column_${names.length}` && columns[names.length - 1]?.isEmpty === true) names.pop();
  const text = last.find((field) => !isNull(field) && field.text.trim() !== "")?.text.trim() ?? "";
  const total = row > 1 && TOTAL.test(text) ? { row, text } : undefined;
  return { names, columns: columns.slice(0, names.length), shortRows, firstShortRow, total };
}

const MISSING: Field = { text: "", isQuoted: false };

/** The rows below the header, each with as many fields as there are columns. */
export async function* rowsOf(source: CsvSource, width: number): AsyncGenerator<Field[]> {
  for await (const { fields, isHeader } of recordsOf(source))
    if (!isHeader) yield Array.from({ length: width }, (_, index) => fields[index] ?? MISSING);
}

interface TableRecord {
  readonly fields: Field[];
  readonly isHeader: boolean;
  readonly isShort: boolean;
}

async function* recordsOf(source: CsvSource): AsyncGenerator<TableRecord> {
  const { hasHeader, hasUnnamedIndex } = source.layout;
  let [width, number] = [0, 0];
  for await (const fields of source.records()) {
    number += 1;
    if (isBlankLine(fields, width)) continue;
    const isFirst = width === 0;
    if (isFirst) width = fields.length + (hasUnnamedIndex ? 1 : 0);
    const isHeader = isFirst && hasHeader;
    if (!isHeader && fields.slice(width).some((field) => !isNull(field)))
      throw malformed(`record ${number} has ${fields.length} fields, the ${hasHeader ? "header" : "first one"} has ${width}`);
    yield { fields, isHeader, isShort: !isHeader && fields.length < width };
  }
}
