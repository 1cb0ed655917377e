// The tables and views of a database, without looking into them.
import type Database from "better-sqlite3";
import type { TablesAsked, TablesTold, TableTold } from "../protocol/requests.ts";
import type { Engine } from "../engine/engine.ts";
import { patient } from "../engine/lock-retry.ts";
import { type Listed } from "./table-list.ts";
import { columnsOrWhy, ownTablesOf, quoted, rowidAmong } from "./schema-pragmas.ts";

/** Views are looked into for so long in all, in milliseconds: those upon many others take long each. */
const LOOKED_INTO_MS = 2000;

/** The tables in the order of their names; those that only serve a virtual table, and SQLite's own, are left out. */
export function tables(engine: Engine, asked: TablesAsked): TablesTold {
  const { db } = engine;
  return patient(() => {
    const all = ownTablesOf(db).filter(
      ({ name, type }) =>
        (asked.after === undefined || name > asked.after) && (type !== "view" || asked.views) && fits(name, asked.pattern),
    );
    const told: TableTold[] = [];
    const until = performance.now() + LOOKED_INTO_MS;
    let left = asked.bytes;
    for (const one of all) {
      const late = one.type === "view" && performance.now() > until;
      const table = fitting(
        late ? { name: one.name, type: "view", error: LATE } : tell(db, one, asked.detail),
        told.length > 0 ? Infinity : asked.bytes,
      );
      left -= sizeOf(table);
      if (told.length === asked.limit || (left < 0 && told.length > 0)) return { tables: told, more: true };
      told.push(table);
    }
    return { tables: told, more: false };
  });
}

const LATE = "Not looked into, as the views before it took long; describe_table tells its columns";
/** What is left of a statement that alone is larger than a reply, in characters. */
const LEFT = 20_000;

/** In a reply each character is three bytes, at most and on the whole. */
const sizeOf = (table: TableTold): number => 3 * JSON.stringify(table).length + 10;

/** A table that alone is larger than a reply has its statement cut, and its columns left out where that is not enough. */
function fitting(table: TableTold, bytes: number): TableTold {
  if (sizeOf(table) <= bytes) return table;
  const { columns, sql, ...rest } = table;
  const cut = { ...rest, ...(sql !== undefined && { sql: `${sql.slice(0, Math.min(LEFT, bytes / 20))}…` }), truncated: true } as const;
  const named = { ...cut, ...(columns !== undefined && { columns }) };
  return sizeOf(named) <= bytes ? named : { ...cut, error: `It has ${columns?.length} columns, too long to be told here` };
}

function fits(name: string, pattern: string | undefined): boolean {
  if (pattern === undefined || pattern === "") return true;
  const [text, part] = [name.toLowerCase(), pattern.toLowerCase()];
  return /[*?%]/.test(part) ? like(text, part) : text.includes(part);
}

/** `*` and `%` stand for any text, `?` for one character. Never more steps than length times length. */
function like(text: string, pattern: string): boolean {
  let [at, from, star, mark] = [0, 0, -1, 0];
  while (at < text.length) {
    const wanted = pattern[from];
    if (wanted === "*" || wanted === "%") [star, mark, from] = [from, at, from + 1];
    else if (wanted === "?" || wanted === text[at]) [at, from] = [at + 1, from + 1];
    else if (star >= 0) [from, mark, at] = [star + 1, mark + 1, mark + 1];
    else return false;
  }
  return /^[*%]*$/.test(pattern.slice(from));
}

function tell(db: Database.Database, { name, type, wr, strict }: Listed, detail: TablesAsked["detail"]): TableTold {
  const kind = type === "view" || type === "virtual" ? type : "table";
  if (detail === "names") return { name, type: kind };
  const { columns, error } = columnsOrWhy(db, name);
  const names = columns.map((column) => column.name);
  const estimate = kind === "table" && wr === 0 ? rowEstimate(db, name, names) : undefined;
  return {
    name,
    type: kind,
    ...(error === undefined ? { columns: names } : { error }),
    ...(estimate !== undefined && { rowEstimate: estimate }),
    ...(strict === 1 && { strict: true }),
    ...(wr === 1 && { withoutRowid: true }),
    ...(detail === "full" && { sql: sqlOf(db, name) }),
  };
}

export const sqlOf = (db: Database.Database, name: string): string =>
  db
    .prepare<[string], string | null>("SELECT sql FROM main.sqlite_schema WHERE name = ? AND type IN ('table', 'view')")
    .pluck()
    .get(name) ?? "";

/** From the highest row id: exact where nothing was deleted, and found without reading the table. */
export function rowEstimate(db: Database.Database, table: string, columns: readonly string[]): number | undefined {
  const rowid = rowidAmong(columns);
  if (rowid === undefined) return undefined;
  try {
    const [from, to] = db
      .prepare<[], (number | null)[]>(`SELECT min(${rowid}), max(${rowid}) FROM main.${quoted(table)}`)
      .raw()
      .get() as (number | null)[];
    return to === null || to === undefined ? 0 : to - (from ?? to) + 1;
  } catch {
    return undefined;
  }
}
