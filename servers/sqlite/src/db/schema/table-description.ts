// One table or view: columns, keys, indexes, triggers, and the statement that made it.
import type Database from "better-sqlite3";
import { DbError, shown } from "../errors.ts";
import type { DescribeAsked } from "../protocol/requests.ts";
import type { Engine } from "../engine/engine.ts";
import { nearest } from "../near-names.ts";
import { isOfOneThing, patient } from "../engine/lock-retry.ts";
import { tablesOf } from "./table-list.ts";
import {
  columnsOrWhy,
  foreignKeysOf,
  indexColumnsOf,
  indexesOf,
  ownTablesOf,
  quoted,
  type ColumnInfo,
  type KeyPart,
} from "./schema-pragmas.ts";
import type { Sink } from "../engine/query.ts";
import { Inexact, RowsText, type Value } from "../engine/row-encoder.ts";
import { rowEstimate, sqlOf } from "./table-summaries.ts";

const MOST = 200;
/** Statements may be as long as a file: each is cut, and all together, but for a beginning of each. */
const LONGEST = { text: 20_000, beginning: 100 };

/** Cuts what would make a reply too large, and knows whether it did. */
class Cutter {
  cut = false;
  #left: number;

  constructor(characters: number) {
    this.#left = characters;
  }

  text(sql: string): string {
    const most = Math.max(LONGEST.beginning, Math.min(LONGEST.text, this.#left));
    this.#left -= Math.min(most, sql.length);
    if (sql.length <= most) return sql;
    this.cut = true;
    return `${sql.slice(0, most)}…`;
  }

  list<T>(all: readonly T[]): readonly T[] {
    if (all.length > MOST) this.cut = true;
    return all.slice(0, MOST);
  }
}

export function describe(engine: Engine, { table, sampleRows, room }: DescribeAsked, sink: Sink): unknown {
  const { db } = engine;
  return patient(() => {
    const found = tablesOf(db).find(({ name }) => name === table);
    if (found === undefined) throw noSuchTable(db, table);
    const { columns: infos, error } = columnsOrWhy(db, table);
    const names = infos.map(({ name }) => name);
    const estimate = found.type === "table" && found.wr === 0 ? rowEstimate(db, table, names) : undefined;
    // In the reply each stands twice, and with signs before its quotes.
    const cutter = new Cutter(Math.floor(room.bytes / 8));
    const sql = cutter.text(sqlOf(db, table));
    const told = {
      table,
      type: found.type === "view" || found.type === "virtual" ? found.type : "table",
      columns: infos.map((info) => column(info, cutter)),
      ...(error !== undefined && { error }),
      primaryKey: infos
        .filter(({ pk }) => pk > 0)
        .toSorted((one, other) => one.pk - other.pk)
        .map(({ name }) => name),
      foreignKeys: foreignKeys(db, table, cutter),
      referencedBy: referencedBy(db, table, cutter),
      indexes: indexes(db, table, cutter),
      triggers: triggers(db, table, cutter),
      ...(estimate !== undefined && { rowEstimate: estimate }),
      ...(found.strict === 1 && { strict: true }),
      ...(found.wr === 1 && { withoutRowid: true }),
      sql,
      ...(cutter.cut && { truncated: true }),
    };
    return { ...told, ...(sampleRows > 0 && error === undefined && sampleOrWhy(db, table, { ...room, limit: sampleRows }, sink)) };
  });
}

/** What is known of a table is told although its rows cannot be read, as those of a view that calls what is gone. */
function sampleOrWhy(...[db, table, room, sink]: Parameters<typeof sample>): object {
  try {
    return { sample: sample(db, table, room, sink) };
  } catch (error) {
    if (!isOfOneThing(error)) throw error;
    sink.again();
    return { error: error.message.slice(0, 200) };
  }
}

export function noSuchTable(db: Database.Database, table: string): DbError {
  const names = ownTablesOf(db).map(({ name }) => name);
  const near = nearest(table, names);
  const help = near.length > 0 ? `did you mean ${near.map(shown).join(" or ")}?` : "list_tables tells which there are";
  return new DbError("not-found", `No such table: ${shown(table)}; ${help}`);
}

const column = ({ name, type, notnull, dflt_value, pk, hidden }: ColumnInfo, cutter: Cutter): object => ({
  name,
  type,
  notNull: notnull === 1,
  default: dflt_value === null || dflt_value.length <= LONGEST.text ? dflt_value : cutter.text(dflt_value),
  primaryKey: pk,
  ...(hidden > 1 && { generated: hidden === 2 ? "virtual" : "stored" }),
});

/** The parts of each key together. */
const keysOf = (db: Database.Database, table: string): KeyPart[][] => [...Map.groupBy(foreignKeysOf(db, table), ({ id }) => id).values()];

function foreignKeys(db: Database.Database, table: string, cutter: Cutter): object[] {
  return cutter.list(keysOf(db, table)).map((parts) => ({
    columns: parts.map(({ from }) => from),
    table: parts[0]?.table,
    references: parts.map(({ to }) => to),
    onUpdate: parts[0]?.on_update,
    onDelete: parts[0]?.on_delete,
  }));
}

function referencedBy(db: Database.Database, table: string, cutter: Cutter): object[] {
  const wanted = table.toLowerCase();
  const all = ownTablesOf(db)
    .filter(({ type }) => type === "table")
    .flatMap(({ name }) => keysOf(db, name).map((parts) => ({ name, parts })))
    .filter(({ parts }) => parts[0]?.table.toLowerCase() === wanted);
  return cutter
    .list(all)
    .map(({ name, parts }) => ({ table: name, columns: parts.map(({ from }) => from), references: parts.map(({ to }) => to) }));
}

function triggers(db: Database.Database, table: string, cutter: Cutter): object[] {
  const all = db
    .prepare<[string, number], { name: string; sql: string }>(
      "SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE LIMIT ?",
    )
    .all(table, MOST + 1);
  return cutter.list(all).map(({ name, sql }) => ({ name, sql: cutter.text(sql) }));
}

function indexes(db: Database.Database, table: string, cutter: Cutter): object[] {
  const sql = db.prepare<[string], string | null>("SELECT sql FROM main.sqlite_schema WHERE type = 'index' AND name = ?").pluck();
  return cutter.list(indexesOf(db, table).toReversed()).map(({ name, unique, origin, partial }) => {
    const made = sql.get(name);
    const columns = indexColumnsOf(db, name).map(({ name: of, desc, coll }) => ({
      name: of,
      ...(desc === 1 && { descending: true }),
      ...(coll !== "BINARY" && { collation: coll }),
    }));
    return {
      name,
      unique: unique === 1,
      columns,
      ...(origin !== "c" && { origin: origin === "pk" ? "primary key" : "unique" }),
      ...(partial === 1 && { partial: true }),
      ...(typeof made === "string" && { sql: cutter.text(made) }),
    };
  });
}

/** The first rows. */
function sample(db: Database.Database, table: string, room: DescribeAsked["room"], sink: Sink): unknown {
  const statement = db.prepare(`SELECT * FROM main.${quoted(table)} LIMIT ${room.limit}`).raw(true);
  const columns = statement.columns().map(({ name, type }) => ({ name, declaredType: type }));
  for (const exact of [false, true]) {
    try {
      const rows = new RowsText(columns, room, sink, exact);
      for (const row of statement.safeIntegers(exact).iterate()) if (!rows.add(row as Value[])) break; // raw
      rows.end();
      return { columns: JSON.stringify(columns), rowCount: rows.rowCount, truncated: rows.full, clipped: rows.clipped };
    } catch (error) {
      if (!(error instanceof Inexact)) throw error;
      sink.again();
    }
  }
  return undefined;
}
