// Measures sets of indexes: the statement runs on a copy of the data in memory, without and with each set. A plan alone does not tell whether
// an index saves work: most rows may have the value, or another order of the tables may be the one that counts.
import Database from "better-sqlite3";
import { denyFeatures } from "../engine/connection.ts";
import { isReading, type Statement } from "../sql/statement.ts";
import { isWord, quoteName } from "../sql/tokens.ts";
import { planRowsOf } from "./plan-rows.ts";

export interface IndexSet {
  readonly indexes: readonly { readonly name: string; readonly sql: string }[];
}

/** Larger databases are not copied. */
const MAX_COPIED_BYTES = 32 * 1024 * 1024;
/** Rows that a run may visit, by a rough estimate: a run cannot be interrupted. */
const MAX_VISITS = 3_000_000;
const MAX_STEPS = 40;
/** Rows that a search finds where no statistics say more. */
const ROWS_FOUND = 10;
/** Faster statements need no advice by the clock. */
const MIN_MS = 2;
/** The part of the time that must remain at most. */
const GAIN = 0.8;
/** A smaller set is better where it takes hardly longer. */
const NEARLY = 1.1;
const NEARLY_MS = 0.02;
const REPEATED_BELOW_MS = 100;
/** Rows that callers mostly read. */
const FIRST_ROWS = 500;
const MIN_FIRST_MS = 0.2;
/** The part of the time for them that must remain at most, where all rows take hardly longer than before. */
const FIRST_GAIN = 0.5;
const LOSS = 1.5;

/** In milliseconds of processor time: to the end, and to the first rows. */
interface Times {
  readonly all: number;
  readonly first: number;
}

const isBetter = (time: Times, before: Times): boolean =>
  time.all <= before.all * GAIN ||
  (before.first >= MIN_FIRST_MS && time.first <= before.first * FIRST_GAIN && time.all <= before.all * LOSS);

/**
 * The set that saves the most time; "none" where none saves enough. Undefined: that cannot be measured.
 * @param values Those bound to the statement; undefined where it has parameters without values.
 */
export function fastestOf<S extends IndexSet>(
  db: Database.Database,
  statement: Statement,
  values: readonly unknown[] | undefined,
  sets: readonly S[],
  until: number,
): S | "none" | undefined {
  if (sets.length === 0 || values === undefined || !isReading(statement) || statement.isExplain) return undefined;
  if (statement.tokens.some((token) => isWord(token, "RECURSIVE"))) return undefined;
  const copy = copyOf(db);
  if (copy === undefined) return undefined;
  try {
    const sizes = sizesOf(copy);
    if (visitsOf(copy, statement.sql, sizes) > MAX_VISITS) return undefined;
    const before = timeOf(copy, statement.sql, values);
    if (before.all < MIN_MS) return undefined;
    const timed: { set: S; time: number }[] = [];
    for (const set of sets) {
      if (performance.now() > until) break;
      const time = timeWith(copy, { sql: statement.sql, values, sizes }, set);
      if (time !== undefined && isBetter(time, before)) timed.push({ set, time: Math.min(time.all, before.all) });
    }
    const least = Math.min(...timed.map(({ time }) => time));
    const [best] = timed
      .filter(({ time }) => time <= least * NEARLY + NEARLY_MS)
      .toSorted((one, other) => one.set.indexes.length - other.set.indexes.length || lengthOf(one.set) - lengthOf(other.set));
    return best?.set ?? "none";
  } finally {
    copy.close();
  }
}

/** Undefined where the database is large. */
function copyOf(db: Database.Database): Database.Database | undefined {
  const bytes = Number(db.pragma("page_count", { simple: true })) * Number(db.pragma("page_size", { simple: true }));
  if (bytes > MAX_COPIED_BYTES || bytes === 0) return undefined;
  const content = db.serialize();
  // A database in memory has no log, so the header must not name one.
  content.fill(1, 18, 20);
  const copy = new Database(content);
  denyFeatures(copy, []);
  copy.pragma("trusted_schema = OFF");
  copy.pragma("cell_size_check = ON");
  return copy;
}

interface Run {
  readonly sql: string;
  readonly values: readonly unknown[];
  readonly sizes: TableSizes;
}

function timeWith(copy: Database.Database, { sql, values, sizes }: Run, { indexes }: IndexSet): Times | undefined {
  try {
    for (const index of indexes) copy.exec(index.sql);
    return visitsOf(copy, sql, sizes) > MAX_VISITS ? undefined : timeOf(copy, sql, values);
  } finally {
    for (const { name } of indexes) copy.exec(`DROP INDEX IF EXISTS ${quoteName(name)}`);
  }
}

/** Of the fastest of three runs, where that takes no time. */
function timeOf(copy: Database.Database, sql: string, values: readonly unknown[]): Times {
  const statement = copy.prepare(sql).raw().safeIntegers();
  const run = (): Times => {
    const before = process.cpuUsage();
    const elapsed = (): number => {
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    let [count, atFirst] = [0, Infinity];
    for (const _row of statement.iterate(...values)) if (++count === FIRST_ROWS) atFirst = elapsed();
    const all = elapsed();
    return { all, first: Math.min(atFirst, all) };
  };
  const first = run();
  if (first.all > REPEATED_BELOW_MS) return first;
  const runs = [first, run(), run()];
  return { all: Math.min(...runs.map(({ all }) => all)), first: Math.min(...runs.map((one) => one.first)) };
}

/** The rows that the loops of a plan visit at most, as if each were in all others. */
function visitsOf(copy: Database.Database, sql: string, sizes: TableSizes): number {
  const plan = planRowsOf(copy, sql);
  if (plan.length > MAX_STEPS) return Infinity;
  // Aliases stand in a plan in place of tables, so the largest table counts for them.
  const most = Math.max(1, ...sizes.values());
  return plan.reduce((product, { detail }) => {
    const [, verb, name = ""] = /^(SCAN|SEARCH) (\S+)/.exec(detail) ?? [];
    if (verb === "SCAN" && !detail.startsWith("SCAN CONSTANT")) return product * (sizes.get(name.toLowerCase()) ?? most);
    if (verb === "SEARCH") return product * (detail.endsWith("PRIMARY KEY (rowid=?)") ? 1 : ROWS_FOUND);
    return product;
  }, 1);
}

/** Rows, by names in lower case. */
type TableSizes = ReadonlyMap<string, number>;

function sizesOf(copy: Database.Database): TableSizes {
  const names = copy
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
    .pluck()
    .all();
  return new Map(
    names.map((name) => [
      name.toLowerCase(),
      copy
        .prepare<[], number>(`SELECT count(*) FROM main.${quoteName(name)}`)
        .pluck()
        .get() ?? 0,
    ]),
  );
}

/** Fewer columns take less room. */
const lengthOf = ({ indexes }: IndexSet): number => indexes.reduce((sum, { sql }) => sum + sql.length, 0);
