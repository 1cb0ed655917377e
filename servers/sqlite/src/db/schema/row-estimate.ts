// How many rows a table has: counted in a small database, estimated by a few looks at the row ids in a large one, where a count reads too much.
import type Database from "better-sqlite3";
import { quoteName } from "../sql/tokens.ts";
import { rowidName } from "./schema-pragmas.ts";

/** Looks at the middle of a range of row ids, each two searches of some microseconds. */
const MAX_LOOKS = 24;
/** A gap smaller than this part of its range is found by the samples. */
const MIN_GAP = 0.1;
/** In a database of this size a count takes some 20 ms. */
const MAX_COUNTED_BYTES = 64 * 1024 * 1024;
/** So many rows are counted where row ids say nothing. */
const MAX_COUNTED = 10_000;
/** Places where the rows of some row ids are counted. */
const SAMPLES = 24;
const SAMPLED_IDS = 200;
/** No row takes less room in a file, with its place in the page. */
const MIN_ROW_BYTES = 6;

interface Range {
  readonly low: number;
  readonly high: number;
}

const widthOf = ({ low, high }: Range): number => high - low + 1;

/** Undefined where the table has no row ids, or cannot be read, or its row ids say nothing. */
export function estimateRows(
  db: Database.Database,
  table: string,
  columns: readonly string[],
  maxCountedBytes = MAX_COUNTED_BYTES,
): number | undefined {
  const rowid = rowidName(columns);
  if (rowid === undefined) return undefined;
  const source = `main.${quoteName(table)}`;
  try {
    const bytes = bytesOf(db);
    if (bytes <= maxCountedBytes) return numberOf(db, `SELECT count(*) FROM ${source}`);
    const ranges = rangesOf(db, source, rowid);
    const width = ranges.reduce((sum, range) => sum + widthOf(range), 0);
    if (width > MAX_COUNTED && width * MIN_ROW_BYTES <= bytes) return Math.round(width * densityOf(db, source, rowid, ranges));
    const counted = numberOf(db, `SELECT count(*) FROM (SELECT 1 FROM ${source} LIMIT ${MAX_COUNTED + 1})`);
    return counted <= MAX_COUNTED ? counted : undefined;
  } catch {
    return undefined; // damaged, or a module that is not here
  }
}

/** The share of row ids that rows have, counted at some places. */
function densityOf(db: Database.Database, source: string, rowid: string, ranges: readonly Range[]): number {
  const count = db.prepare<[number, number], number>(`SELECT count(*) FROM ${source} WHERE ${rowid} BETWEEN ? AND ?`).pluck();
  const step = ranges.reduce((sum, range) => sum + widthOf(range), 0) / SAMPLES;
  let [rows, ids, skipped] = [0, 0, 0];
  for (const range of ranges.toSorted((one, other) => one.low - other.low)) {
    for (let at = Math.ceil(skipped / step) * step - skipped; at < widthOf(range); at += step) {
      const low = range.low + Math.floor(at);
      const high = Math.min(range.high, low + SAMPLED_IDS - 1);
      rows += count.get(low, high) ?? 0;
      ids += high - low + 1;
    }
    skipped += widthOf(range);
  }
  return ids === 0 ? 1 : rows / ids;
}

/** The row ids from the lowest to the highest, without the large gaps between them. */
function rangesOf(db: Database.Database, source: string, rowid: string): Range[] {
  const rangeOf = (sql: string): Database.Statement<number[], [number | null, number | null]> => db.prepare(sql).raw() as never; // two columns
  const [lowest, highest] = rangeOf(`SELECT min(${rowid}), max(${rowid}) FROM ${source}`).get() ?? [null, null];
  if (lowest === null || highest === null) return [];
  const ranges: Range[] = [{ low: lowest, high: highest }];
  const around = `SELECT (SELECT max(${rowid}) FROM ${source} WHERE ${rowid} <= ?), (SELECT min(${rowid}) FROM ${source} WHERE ${rowid} > ?)`;
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    const widest = ranges.reduce((one, other) => (widthOf(other) > widthOf(one) ? other : one));
    if (widthOf(widest) <= 1) break;
    const middle = widest.low / 2 + widest.high / 2;
    const [before, after] = rangeOf(around).get(middle, middle) ?? [null, null];
    if (before === null || after === null || after - before - 1 < MIN_GAP * widthOf(widest)) break;
    ranges.splice(ranges.indexOf(widest), 1, { low: widest.low, high: before }, { low: after, high: widest.high });
  }
  return ranges;
}

const numberOf = (db: Database.Database, sql: string): number => Number(db.prepare(sql).pluck().get());

const bytesOf = (db: Database.Database): number => numberOf(db, "PRAGMA page_count") * numberOf(db, "PRAGMA page_size");
