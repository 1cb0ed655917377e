// Finds a text anywhere: full-text tables by rank, ordinary columns by a look through them that ends in time.
import type Database from "better-sqlite3";
import { refused } from "../errors.ts";
import type { Match, SearchAsked, SearchTold } from "../requests.ts";
import type { Engine } from "./engine.ts";
import { noSuchTable } from "./describe.ts";
import { columnNamesOf, ownTablesOf, quoted } from "./pragmas.ts";

/** The search ends after so many milliseconds with what it has. */
const LONGEST_MS = 5000;
/** Rows that are looked at before the clock is. */
const WINDOW = 20_000;
const AROUND = 60;

export function search(engine: Engine, { text, tables, limit }: SearchAsked): SearchTold {
  const { db } = engine;
  if (text.trim() === "") throw refused("query: expected a text to find, got blanks");
  const all = ownTablesOf(db).filter(({ type }) => type === "table" || type === "virtual");
  for (const name of tables) if (!all.some((table) => table.name === name)) throw noSuchTable(db, name);
  const wanted = all.filter(({ name }) => tables.length === 0 || tables.includes(name));
  const until = performance.now() + LONGEST_MS;
  const matches: Match[] = [];
  const unfinished: string[] = [];
  // Those with an index of words first.
  for (const { name, type, wr } of wanted.toSorted((one, other) => Number(other.type === "virtual") - Number(one.type === "virtual"))) {
    const room = limit - matches.length;
    const whole =
      room > 0 && (type === "virtual" ? byRank(db, name, text, room, matches) : byLook(db, { name, wr }, text, { room, until, matches }));
    if (!whole) unfinished.push(name);
  }
  return { matches, truncated: unfinished.length > 0, unfinished: unfinished.slice(0, 100) };
}

/** FTS5 gives the best rows first, and the words around. Other virtual tables are not searched. */
function byRank(db: Database.Database, table: string, text: string, room: number, matches: Match[]): boolean {
  const sql = db.prepare<[string], string>("SELECT sql FROM main.sqlite_schema WHERE name = ?").pluck().get(table) ?? "";
  if (!/\bUSING\s+["'`[]?fts5\b/i.test(sql)) return true;
  const columns = columnNamesOf(db, table);
  const phrase = `"${text.replaceAll('"', '""')}"`;
  try {
    const found = db
      .prepare<[string, number], { rowid: number; rank: number; snippet: string | null }>(
        `SELECT rowid, rank, snippet(${quoted(table)}, -1, '', '', '…', 24) AS snippet FROM ${quoted(table)} WHERE ${quoted(table)} MATCH ? ORDER BY rank LIMIT ?`,
      )
      .all(phrase, room + 1);
    for (const { rowid, rank, snippet } of found.slice(0, room))
      matches.push({
        table,
        column: columns.length === 1 ? (columns[0] ?? null) : null,
        rowid,
        snippet: (snippet ?? "").slice(0, 500),
        rank,
      });
    return found.length <= room;
  } catch {
    // Contentless tables have no texts to show, and a phrase of signs alone is no phrase.
    return true;
  }
}

interface Look {
  room: number;
  until: number;
  matches: Match[];
}

function byLook(db: Database.Database, { name, wr }: { name: string; wr: number }, text: string, look: Look): boolean {
  const columns = columnNamesOf(db, name).slice(0, 500);
  if (columns.length === 0) return true;
  const like = `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
  const any = columns.map((column) => `${quoted(column)} LIKE @like ESCAPE '\\'`).join(" OR ");
  const row = columns.map((column) => quoted(column)).join(", ");
  if (wr === 1) {
    const found = db
      .prepare<unknown[], unknown[]>(`SELECT NULL, ${row} FROM ${quoted(name)} WHERE ${any} LIMIT ?`)
      .raw()
      .all(look.room + 1, { like });
    return take(name, columns, text, found, look);
  }
  const last =
    db
      .prepare<[], number | null>(`SELECT max(rowid) FROM ${quoted(name)}`)
      .pluck()
      .get() ?? 0;
  const next = db.prepare<[number], number | null>(`SELECT min(rowid) FROM ${quoted(name)} WHERE rowid >= ?`).pluck();
  const part = db
    .prepare<unknown[], unknown[]>(`SELECT rowid, ${row} FROM ${quoted(name)} WHERE rowid >= ? AND rowid < ? AND (${any}) LIMIT ?`)
    .raw();
  for (let from = next.get(-(2 ** 53)) ?? last + 1; from <= last;) {
    if (performance.now() > look.until) return false;
    const found = part.all(from, from + WINDOW, look.room + 1, { like });
    if (!take(name, columns, text, found, look)) return false;
    from = next.get(from + WINDOW) ?? last + 1;
  }
  return true;
}

/** False when there is no room for more. */
function take(table: string, columns: readonly string[], text: string, rows: readonly unknown[][], look: Look): boolean {
  const wanted = text.toLowerCase();
  for (const [rowid, ...values] of rows) {
    const at = values.findIndex((value) => textOf(value).toLowerCase().includes(wanted));
    if (look.room === 0) return false;
    look.room -= 1;
    const whole = at === -1 ? "" : textOf(values[at]);
    const start = Math.max(0, whole.toLowerCase().indexOf(wanted) - AROUND);
    const end = Math.min(whole.length, start + wanted.length + 2 * AROUND);
    const snippet = `${start > 0 ? "…" : ""}${whole.slice(start, Math.min(end, start + 500))}${end < whole.length ? "…" : ""}`;
    look.matches.push({ table, column: columns[at] ?? null, rowid: typeof rowid === "number" ? rowid : null, snippet });
  }
  return true;
}

/** Bytes are no text. */
const textOf = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "");
