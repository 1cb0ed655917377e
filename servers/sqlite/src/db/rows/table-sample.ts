// The first rows of a table.
import type Database from "better-sqlite3";
import type { SqlValue } from "../csv/dialect.ts";
import type { DescribeReply } from "../protocol/schema-messages.ts";
import type { RowLimits } from "../protocol/rows.ts";
import { readingQuotedTexts } from "../schema/quoted-texts/views.ts";
import { quoteName } from "../sql/tokens.ts";
import { RowEncoder, type RowOutput } from "./row-encoder.ts";

export type SampleReply = NonNullable<DescribeReply["sample"]>;

/** SQLite returns at most 2,000 values in a row, here each with its length. */
const MAX_MEASURED_COLUMNS = 1000;
/** SQLite reads a value to its end even for its beginning, so a longer one is not read at all. */
const MAX_READ_BYTES = 1_000_000;

export function sampleRows(db: Database.Database, table: string, limits: RowLimits, output: RowOutput): SampleReply {
  return readingQuotedTexts(db, table, (schema) => {
    const source = `FROM ${schema}.${quoteName(table)} LIMIT ${limits.maxRows}`;
    const plain = db.prepare(`SELECT * ${source}`);
    const columns = plain.columns().map(({ name, type }) => ({ name, declaredType: type }));
    const names = columns.map(({ name }) => quoteName(name));
    const isMeasured = columns.length <= MAX_MEASURED_COLUMNS;
    const statement = isMeasured ? db.prepare(`SELECT ${measuredValues(names, limits).join(", ")} ${source}`) : plain;
    const rows = new RowEncoder(columns, limits, output, { usesBigInts: true });
    for (const given of statement.raw(true).safeIntegers(true).iterate()) {
      const row = given as SqlValue[]; // raw
      if (!rows.add(row, row.splice(columns.length))) break;
    }
    rows.end();
    return { columns: JSON.stringify(columns), rowCount: rows.rowCount, truncated: rows.isFull, clipped: rows.clipped };
  });
}

/** The values, cut by SQLite where they are long, and then the full lengths of these. A character has at most four bytes. */
function measuredValues(names: readonly string[], { maxTextLength, maxBlobBytes }: RowLimits): string[] {
  const kept = Math.max(maxTextLength, maxBlobBytes) + 1;
  const isLong = (name: string): string => `octet_length(${name}) > ${4 * kept}`;
  const beginning = (name: string): string =>
    `CASE WHEN octet_length(${name}) <= ${MAX_READ_BYTES} THEN substr(${name}, 1, ${kept}) WHEN typeof(${name}) = 'blob' THEN x'' ELSE '…' END`;
  return [
    ...names.map((name) => `iif(${isLong(name)}, ${beginning(name)}, ${name})`),
    ...names.map((name) => `iif(${isLong(name)}, octet_length(${name}), NULL)`),
  ];
}
