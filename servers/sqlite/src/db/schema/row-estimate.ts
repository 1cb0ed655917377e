// How many rows a table has, by a few looks at its row ids, because a count reads the whole table.
import type Database from "better-sqlite3";
import { quoteName } from "../sql/tokens.ts";
import { rowidName } from "./schema-pragmas.ts";

/** Looks at the middle of a range of row ids, each two searches of some microseconds. */
const MAX_LOOKS = 24;
/** A gap smaller than this part of its range is taken for deleted rows. */
const MIN_GAP = 0.1;
/** So many rows are counted where row ids say nothing. */
const MAX_COUNTED = 10_000;
/** No row takes less room in a file, with its place in the page. */
const MIN_ROW_BYTES = 6;

interface Range {
  readonly low: number;
  readonly high: number;
}

const widthOf = ({ low, high }: Range): number => high - low + 1;

/** Exact where nothing was deleted. Undefined where the table has no row ids, or cannot be read, or its row ids say nothing. */
export function estimateRows(db: Database.Database, table: string, columns: readonly string[]): number | undefined {
  const rowid = rowidName(columns);
  if (rowid === undefined) return undefined;
  try {
    const estimate = widthOfRanges(db, `main.${quoteName(table)}`, rowid);
    if (estimate <= MAX_COUNTED || estimate * MIN_ROW_BYTES <= bytesOf(db)) return estimate;
    const counted = numberOf(db, `SELECT count(*) FROM (SELECT 1 FROM main.${quoteName(table)} LIMIT ${MAX_COUNTED + 1})`);
    return counted <= MAX_COUNTED ? counted : undefined;
  } catch {
    return undefined; // damaged, or a module that is not here
  }
}

/** The row ids from the lowest to the highest, without the large gaps between them. */
function widthOfRanges(db: Database.Database, source: string, rowid: string): number {
  const rangeOf = (sql: string): Database.Statement<number[], [number | null, number | null]> => db.prepare(sql).raw() as never; // two columns
  const [lowest, highest] = rangeOf(`SELECT min(${rowid}), max(${rowid}) FROM ${source}`).get() ?? [null, null];
  if (lowest === null || highest === null) return 0;
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
  return ranges.reduce((sum, range) => sum + widthOf(range), 0);
}

const numberOf = (db: Database.Database, sql: string): number => Number(db.prepare(sql).pluck().get());

const bytesOf = (db: Database.Database): number => numberOf(db, "PRAGMA page_count") * numberOf(db, "PRAGMA page_size");
