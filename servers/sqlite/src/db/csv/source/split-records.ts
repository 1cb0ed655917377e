// The records in the first part of a CSV file, for the detection of its layout.
import { isNull, type Field } from "../dialect.ts";

export interface SampleRecord {
  readonly fields: readonly Field[];
  /** How many lines stand before it. */
  readonly line: number;
}

export interface Separators {
  readonly delimiter: string;
  readonly quote: string;
  readonly escape: string;
}

/** Never fails: a quote inside a field is a character of it, and a field that is still open at the end is left out. */
export async function splitRecords(text: string, separators: Separators): Promise<SampleRecord[]> {
  // Loaded on first use: most sessions import nothing.
  const { parse } = await import("csv-parse/sync");
  const parsed = parse(text, {
    ...separators,
    ...LENIENT,
    record_delimiter: lineEndsOf(text),
    info: true,
    skip_records_with_error: true,
    cast: (value, { quoting }): unknown => ({ text: value, isQuoted: quoting }) satisfies Field,
  }) as unknown as readonly { readonly record: Field[]; readonly info: { readonly lines: number } }[]; // as `cast` and `info` make them
  return parsed.map(({ record }, index) => ({ fields: record, line: parsed[index - 1]?.info.lines ?? 0 }));
}

/** An empty line is a record of one field without a value. */
export const isBlank = (fields: readonly Field[]): boolean => fields.length === 1 && fields.every(isNull);

/** A file that several programs have written to has both line ends. A carriage return alone ends lines only where the first line ends with one. */
export function lineEndsOf(sample: string): string[] {
  const [first] = /\r\n?|\n/.exec(sample.replaceAll(/"[^"]*"/g, "")) ?? [];
  return first === "\r" ? ["\r"] : ["\r\n", "\n"];
}

/** How records are read in the sample and in the whole file. */
export const LENIENT = {
  // A quote inside a bare field is a character of it, such as 5" for inches.
  relax_quotes: true,
  relax_column_count: true,
} as const;
