// Finds a text anywhere: full-text tables by rank, ordinary columns by a look through them that ends in time.
import type Database from "better-sqlite3";
import { refused, shown } from "../errors.ts";
import type { Match, SearchAsked, SearchTold } from "../protocol/requests.ts";
import type { Engine } from "../engine/engine.ts";
import { noSuchTable } from "../schema/table-description.ts";
import { moduleIn } from "../schema/table-list.ts";
import { codeOf, isOfOneThing } from "../engine/lock-retry.ts";
import { columnNamesOf, ownTablesOf, quoted, rowidAmong } from "../schema/schema-pragmas.ts";
import { rowid as idOf } from "../engine/change.ts";

/** The search ends after so many milliseconds with what it has. */
const LONGEST_MS = 5000;
/** Rows that are looked at before the clock is. */
const WINDOW = 20_000n;
const AROUND = 60;
/** Patterns of LIKE have at most 50,000 bytes. */
const LONGEST = 8000;

export function search(engine: Engine, { text, tables, limit }: SearchAsked): SearchTold {
  const { db } = engine;
  if (text.trim() === "") throw refused("query: expected a text to find, got blanks");
  if (text.length > LONGEST) throw refused(`query: has ${text.length} characters; texts of at most ${LONGEST} are found`);
  const own = ownTablesOf(db);
  const all = own.filter(({ type }) => type === "table" || type === "virtual");
  for (const name of tables) {
    if (all.some((table) => table.name === name)) continue;
    if (own.some((table) => table.name === name)) throw refused(`${shown(name)} is a view; search in the tables that it reads`);
    throw noSuchTable(db, name);
  }
  const wanted = all.filter(({ name }) => tables.length === 0 || tables.includes(name));
  const until = performance.now() + LONGEST_MS;
  const matches: Match[] = [];
  const unfinished: string[] = [];
  // Those with an index of words first.
  for (const { name, type, wr } of wanted.toSorted((one, other) => Number(other.type === "virtual") - Number(one.type === "virtual"))) {
    const room = limit - matches.length;
    const whole =
      room > 0 &&
      readable(tables, () =>
        type === "virtual" ? byRank(db, name, text, room, matches) : byLook(db, { name, wr }, text, { room, until, matches }),
      );
    if (!whole) unfinished.push(name);
  }
  return { matches, truncated: unfinished.length > 0, unfinished: unfinished.slice(0, 100) };
}

/** A table that cannot be read, as it is damaged or calls what is not there or not offered here, does not hide what the others hold. */
function readable(named: readonly string[], look: () => boolean): boolean {
  try {
    return look();
  } catch (error) {
    if (named.length > 0 || !(isOfOneThing(error) || codeOf(error) === "refused")) throw error;
    return false;
  }
}

/** FTS5 gives the best rows first, and the words around. Other virtual tables are not searched. */
function byRank(db: Database.Database, table: string, text: string, room: number, matches: Match[]): boolean {
  const sql = db.prepare<[string], string>("SELECT sql FROM main.sqlite_schema WHERE name = ?").pluck().get(table) ?? "";
  if (moduleIn(sql) !== "fts5") return true;
  const columns = columnNamesOf(db, table);
  const phrase = `"${text.replaceAll('"', '""')}"`;
  const found = db
    .prepare<[string, number], { rowid: bigint; rank: number; snippet: string | null }>(
      `SELECT rowid, rank, snippet(${quoted(table)}, -1, '', '', '…', 24) AS snippet FROM ${quoted(table)} WHERE ${quoted(table)} MATCH ? ORDER BY rank LIMIT ?`,
    )
    .safeIntegers()
    .all(phrase, room + 1);
  for (const { rowid, rank, snippet } of found.slice(0, room))
    matches.push({
      table,
      column: columns.length === 1 ? (columns[0] ?? null) : null,
      rowid: idOf(rowid),
      snippet: (snippet ?? "").slice(0, 500), // contentless tables have no texts to show
      rank,
    });
  return found.length <= room;
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
  // A number as SQLite writes it, which is what LIKE has looked at: 1.0, where we would write 1.
  const row = columns
    .map((column) => `iif(typeof(${quoted(column)}) = 'real', CAST(${quoted(column)} AS TEXT), ${quoted(column)})`)
    .join(", ");
  const id = wr === 1 ? undefined : rowidAmong(columns);
  if (id === undefined) {
    const found = db
      .prepare<unknown[], unknown[]>(`SELECT NULL, ${row} FROM ${quoted(name)} WHERE ${any} LIMIT ?`)
      .raw()
      .safeIntegers()
      .all(look.room + 1, { like });
    return take(name, columns, text, found, look);
  }
  // Exact, as ids may be as large as integers get.
  const next = db
    .prepare<[bigint], bigint | null>(`SELECT min(${id}) FROM ${quoted(name)} WHERE ${id} >= ?`)
    .pluck()
    .safeIntegers();
  const last =
    db
      .prepare<[], bigint | null>(`SELECT max(${id}) FROM ${quoted(name)}`)
      .pluck()
      .safeIntegers()
      .get() ?? null;
  const part = db
    .prepare<unknown[], unknown[]>(`SELECT ${id}, ${row} FROM ${quoted(name)} WHERE ${id} BETWEEN ? AND ? AND (${any}) LIMIT ?`)
    .raw()
    .safeIntegers();
  if (last === null) return true;
  for (let from = next.get(-(2n ** 63n)) ?? null; from !== null;) {
    if (performance.now() > look.until) return false;
    const to: bigint = from + WINDOW < last ? from + WINDOW : last;
    const found = part.all(from, to, look.room + 1, { like });
    if (!take(name, columns, text, found, look)) return false;
    from = to < last ? (next.get(to + 1n) ?? null) : null;
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
    look.matches.push({ table, column: columns[at] ?? null, rowid: typeof rowid === "bigint" ? idOf(rowid) : null, snippet });
  }
  return true;
}

/** Bytes are no text. */
const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "bigint" ? String(value) : "";
