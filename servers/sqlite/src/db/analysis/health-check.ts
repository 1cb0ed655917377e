// The health of a database: damage, broken references, indexes that are too many or too few, statistics, size.
import { statSync } from "node:fs";
import type Database from "better-sqlite3";
import type { CheckAsked } from "../protocol/requests.ts";
import type { Engine } from "../engine/engine.ts";
import { isDamage, isOfOneThing } from "../engine/lock-retry.ts";
import { columnsOf, foreignKeysOf, indexColumnsOf, indexesOf, ownTablesOf, quoted } from "../schema/schema-pragmas.ts";
import { rowid as idOf } from "../engine/change.ts";

const MOST = 100;

/** Takes as many as are told. */
type Cut = <T>(list: readonly T[]) => readonly T[];

export function check(engine: Engine, { checks }: CheckAsked): object {
  const { db } = engine;
  let truncated = false;
  const cut: Cut = (list) => {
    truncated ||= list.length > MOST;
    return list.slice(0, MOST);
  };
  const all = {
    quick_check: () => cut(texts(db, `PRAGMA main.quick_check(${MOST + 1})`)),
    integrity_check: () => cut(texts(db, `PRAGMA main.integrity_check(${MOST + 1})`)),
    foreign_keys: () => cut(brokenKeys(db)),
    indexes: () => indexes(db, cut),
    statistics: () => statistics(db, cut),
    size: () => size(engine),
  };
  const found: Record<string, unknown> = Object.fromEntries(checks.map((name) => [name, orDamage(name, all[name])]));
  return truncated ? { ...found, truncated } : found;
}

/** A check that damage stops tells of the damage: the others may go further. */
function orDamage(name: string, look: () => unknown): unknown {
  try {
    return look();
  } catch (error) {
    if (!isDamage(error)) throw error;
    return name.endsWith("_check") ? [error.message] : name === "foreign_keys" ? [{ error: error.message }] : { error: error.message };
  }
}

/** Rows that break a foreign key, table by table: one whose key fits no unique columns says so, and is in the way of no other. */
function brokenKeys(db: Database.Database): object[] {
  const found: object[] = [];
  for (const { name, type } of ownTablesOf(db)) {
    if (type !== "table" || foreignKeysOf(db, name).length === 0) continue;
    try {
      const rows = db
        .prepare<[], BrokenKey>(`PRAGMA main.foreign_key_check(${quoted(name)})`)
        .safeIntegers()
        .iterate();
      for (const { rowid, fkid, ...row } of rows) {
        found.push({ ...row, rowid: rowid === null ? null : idOf(rowid), fkid: Number(fkid) });
        if (found.length > MOST) return found;
      }
    } catch (error) {
      if (!isOfOneThing(error)) throw error;
      found.push({ table: name, error: error.message.slice(0, 500) });
    }
  }
  return found;
}

interface BrokenKey {
  readonly table: string;
  /** Null where rows have no id. */
  readonly rowid: bigint | null;
  readonly parent: string;
  readonly fkid: bigint;
}

const texts = (db: Database.Database, sql: string): string[] => db.prepare<[], string>(sql).pluck().all();

interface Indexed {
  readonly table: string;
  readonly index: string;
  /** With commas; an expression has no name. */
  readonly columns: string;
  readonly unique: number;
  readonly partial: number;
}

const indexesIn = (db: Database.Database, table: string): Indexed[] =>
  indexesOf(db, table).map(({ name, unique, partial }) => {
    const columns = indexColumnsOf(db, name).map((column) => column.name ?? "(expression)");
    return { table, index: name, columns: columns.join(), unique, partial };
  });

function keysIn(db: Database.Database, table: string): { table: string; columns: string }[] {
  const keys = Map.groupBy(foreignKeysOf(db, table), ({ id }) => id);
  return [...keys.values()].map((parts) => ({ table, columns: parts.map(({ from }) => from).join() }));
}

/** Indexes whose columns another one begins with, and foreign keys that no index helps. */
function indexes(db: Database.Database, cut: Cut): object {
  const tables = ownTablesOf(db).flatMap(({ name, type }) => (type === "table" ? [name] : []));
  const all = tables.flatMap((table) => indexesIn(db, table));
  const primary = (table: string): string =>
    columnsOf(db, table)
      .filter(({ pk }) => pk > 0)
      .toSorted((one, other) => one.pk - other.pk)
      .map(({ name }) => name)
      .join();
  const covers = (longer: string, shorter: string): boolean => longer === shorter || longer.startsWith(`${shorter},`);
  const redundant = all.filter(
    (one) =>
      one.unique === 0 &&
      one.partial === 0 &&
      !one.columns.includes("(expression)") &&
      all.some(
        (other) =>
          other !== one &&
          other.table === one.table &&
          other.partial === 0 &&
          covers(other.columns, one.columns) &&
          (other.columns !== one.columns || other.unique === 1 || other.index < one.index),
      ),
  );
  const missing = tables
    .flatMap((table) => keysIn(db, table))
    .filter(
      ({ table, columns }) => !all.some((one) => one.table === table && covers(one.columns, columns)) && !covers(primary(table), columns),
    );
  return {
    redundant: cut(redundant).map(({ table, index, columns }) => ({ table, index, columns: columns.split(",") })),
    missingForForeignKeys: cut(missing).map(({ table, columns }) => ({ table, columns: columns.split(",") })),
  };
}

/** Whether ANALYZE was run, and which tables it does not know. */
function statistics(db: Database.Database, cut: Cut): object {
  const tables = ownTablesOf(db)
    .filter(({ type }) => type === "table")
    .map(({ name }) => name);
  const has = db.prepare("SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_stat1'").get() !== undefined;
  const known = has ? texts(db, "SELECT DISTINCT tbl FROM sqlite_stat1") : [];
  return { analyzed: has, withoutStatistics: cut(tables.filter((name) => !known.includes(name))) };
}

function size({ db, place }: Engine): object {
  const number = (pragma: string): number => Number(db.pragma(pragma, { simple: true }));
  const wal = statSync(`${place.file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const [pages, pageSize, freePages] = [number("page_count"), number("page_size"), number("freelist_count")];
  return {
    pages,
    pageSize,
    freePages,
    bytes: pages * pageSize,
    walBytes: wal,
    journalMode: db.pragma("journal_mode", { simple: true }),
    encoding: db.pragma("encoding", { simple: true }),
  };
}
