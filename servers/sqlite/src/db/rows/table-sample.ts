// The first rows of a table.
import type Database from "better-sqlite3";
import type { SqlValue } from "../csv/dialect.ts";
import type { DescribeReply } from "../protocol/schema-messages.ts";
import type { RowLimits } from "../protocol/rows.ts";
import { readingQuotedTexts } from "../schema/quoted-text-views.ts";
import { quoteName } from "../sql/tokens.ts";
import { RowEncoder, type RowOutput } from "./row-encoder.ts";

export type SampleReply = NonNullable<DescribeReply["sample"]>;

export function sampleRows(db: Database.Database, table: string, limits: RowLimits, output: RowOutput): SampleReply {
  const statement = readingQuotedTexts(db, table, (schema) =>
    db.prepare(`SELECT * FROM ${schema}.${quoteName(table)} LIMIT ${limits.maxRows}`),
  )
    .raw(true)
    .safeIntegers(true);
  const columns = statement.columns().map(({ name, type }) => ({ name, declaredType: type }));
  const rows = new RowEncoder(columns, limits, output, { usesBigInts: true });
  for (const row of statement.iterate()) if (!rows.add(row as SqlValue[])) break; // raw
  rows.end();
  return { columns: JSON.stringify(columns), rowCount: rows.rowCount, truncated: rows.isFull, clipped: rows.clipped };
}
