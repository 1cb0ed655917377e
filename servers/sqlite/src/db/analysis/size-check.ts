// The size of a database, what takes it, and what a compact copy would save.
import { statSync } from "node:fs";
import type Database from "better-sqlite3";
import { openConnection } from "../engine/connection.ts";
import type { Engine } from "../engine/engine.ts";

const MAX_LISTED = 10;
/** All pages are read to measure tables, so those of larger databases are not measured. */
const MAX_MEASURED_BYTES = 1024 ** 3;

export function checkSize({ db, options }: Engine): object {
  const numberOf = (pragma: string): number => Number(db.pragma(pragma, { simple: true }));
  const [pages, pageSize, freePages] = [numberOf("page_count"), numberOf("page_size"), numberOf("freelist_count")];
  const measured = pages * pageSize > MAX_MEASURED_BYTES ? undefined : measuredParts(options, pageSize);
  return {
    pages,
    pageSize,
    freePages,
    bytes: pages * pageSize,
    ...(measured !== undefined && { compactCopySavesUpTo: (measured.savedPages + freePages) * pageSize, largest: measured.largest }),
    walBytes: statSync(`${options.file}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    journalMode: db.pragma("journal_mode", { simple: true }),
    encoding: db.pragma("encoding", { simple: true }),
  };
}

interface Part {
  readonly table: string;
  /** Null for the table itself. */
  readonly index: string | null;
  readonly bytes: number;
}

interface Measure {
  readonly pages: number;
  /** Bytes. */
  readonly unused: number;
}

const PARTS = `SELECT coalesce(tbl_name, stat.name) AS "table", iif(type = 'index', stat.name, NULL) AS "index", pgsize AS bytes, pageno AS pages, unused
  FROM dbstat AS stat LEFT JOIN main.sqlite_schema AS object ON object.name = stat.name WHERE aggregate = TRUE ORDER BY pgsize DESC, stat.name`;

/** Read by a connection of its own, because statements of callers may not use dbstat. Undefined where the file cannot be measured. */
function measuredParts(options: Engine["options"], pageSize: number): { largest: object[]; savedPages: number } | undefined {
  let db: Database.Database | undefined;
  try {
    db = openConnection({ ...options, write: false, create: false }, ["dbstat"]);
    const parts = db.prepare<[], Part & Measure>(PARTS).all();
    const largest = parts.slice(0, MAX_LISTED).map(({ table, index, bytes }) => ({ table, ...(index !== null && { index }), bytes }));
    // However little a table or index holds, it needs a page.
    const savedPages = parts.reduce((sum, part) => sum + Math.min(part.pages - 1, Math.floor(part.unused / pageSize)), 0);
    return { largest, savedPages };
  } catch {
    return undefined;
  } finally {
    db?.close();
  }
}
