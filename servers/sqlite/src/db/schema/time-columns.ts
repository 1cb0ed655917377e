// Columns whose whole numbers are points in time, and how SQL reads them: programs store seconds, milliseconds and stranger counts.
import type Database from "better-sqlite3";
import { isObjectError } from "../engine/sqlite-errors.ts";
import { quoteName } from "../sql/tokens.ts";
import { columnNamesOf } from "./schema-pragmas.ts";

interface Clock {
  /** The lowest and the highest value, which stand for years of this time. */
  readonly from: number;
  readonly to: number;
  /** The SQL that reads a value of this column. */
  readonly read: (name: string) => string;
}

const [YEAR_2001, YEAR_2065] = [1e9, 3e9];
/** Windows and browsers count from 1601, Apple from 2001. */
const [SECONDS_FROM_1601, SECONDS_TO_2001] = [11_644_473_600, 978_307_200];

const CLOCKS: readonly Clock[] = [
  unixClock(1),
  unixClock(1000),
  unixClock(1_000_000),
  {
    from: (YEAR_2001 + SECONDS_FROM_1601) * 1_000_000,
    to: (YEAR_2065 + SECONDS_FROM_1601) * 1_000_000,
    read: (name) => `datetime(${name} / 1000000 - ${SECONDS_FROM_1601}, 'unixepoch')`,
  },
  { from: 2e8, to: 9.9e8, read: (name) => `datetime(${name} + ${SECONDS_TO_2001}, 'unixepoch')` },
  { from: 2e17, to: 9.9e17, read: (name) => `datetime(${name} / 1000000000 + ${SECONDS_TO_2001}, 'unixepoch')` },
];

function unixClock(perSecond: number): Clock {
  return {
    from: YEAR_2001 * perSecond,
    to: YEAR_2065 * perSecond,
    read: (name) => `datetime(${name}${perSecond === 1 ? "" : ` / ${perSecond}`}, 'unixepoch')`,
  };
}

/** Words of names such as created_at, ZMODIFICATIONDATE, last_visit_time; a number of such a size in another column may be anything. */
const TIME_NAME =
  /(?:^|_)(?:at|on|ts|utc|last|since|until|due|start|end|from|to)$|date|time|stamp|created|modified|updated|expir|visit|added/i;
const MAX_COLUMNS = 20;
/** Rows whose values are looked at. */
const ROWS = 100;

/** Column → the expression that reads it, such as `datetime(created_at, 'unixepoch')`. */
export function timeColumns(db: Database.Database, table: string): Readonly<Record<string, string>> {
  try {
    const names = columnNamesOf(db, table)
      .filter((name) => TIME_NAME.test(name))
      .slice(0, MAX_COLUMNS);
    return Object.fromEntries(
      names.flatMap((name) => {
        const clock = clockOf(db, table, name);
        return clock === undefined ? [] : [[name, clock.read(quotedIfNeeded(name))]];
      }),
    );
  } catch (error) {
    if (!isObjectError(error)) throw error;
    return {};
  }
}

/** The clock that all values of the first rows fit, zeros and NULLs aside. */
function clockOf(db: Database.Database, table: string, column: string): Clock | undefined {
  const name = quoteName(column);
  const first = `SELECT ${name} AS value FROM main.${quoteName(table)} LIMIT ${ROWS}`;
  const range = db
    .prepare<[], { low: number | null; high: number | null; others: number }>(
      `SELECT min(value) AS low, max(value) AS high, total(typeof(value) NOT IN ('integer', 'real')) AS others FROM (${first}) WHERE value IS NOT NULL AND value <> 0`,
    )
    .get();
  const { low, high, others } = range ?? { low: null, high: null, others: 0 };
  if (low === null || high === null || others > 0) return undefined;
  return CLOCKS.find(({ from, to }) => low >= from && high <= to);
}

const quotedIfNeeded = (name: string): string => (/^[a-z_]\w*$/i.test(name) ? name : quoteName(name));
