// Tables with their columns, primary keys and foreign keys, in the order of their distance from given tables.
import type Database from "better-sqlite3";
import type { Engine } from "../engine/engine.ts";
import { retryWhileBusy } from "../engine/lock-retry.ts";
import type { RelatedTable, RelationsReply, RelationsRequest } from "../protocol/schema-messages.ts";
import { columnsOrError, foreignKeysOf } from "./schema-pragmas.ts";
import { userTables, type TableEntry } from "./table-list.ts";

/** Columns of a table that are listed; a table has up to 2,000. */
const MAX_COLUMNS = 300;
/** After this time views have no columns: views upon many others take long each. */
const MAX_VIEWS_MS = 2000;

type ForeignKeys = RelatedTable["foreignKeys"];

export function relatedTables({ db }: Engine, { start, maxTables, maxBytes }: RelationsRequest): RelationsReply {
  return retryWhileBusy(() => {
    const entries = userTables(db);
    const foreignKeys = new Map(entries.map(({ name, type }) => [name, type === "table" ? foreignKeysFrom(db, name) : []]));
    const viewsUntil = performance.now() + MAX_VIEWS_MS;
    const tables: RelatedTable[] = [];
    let left = maxBytes;
    for (const entry of byDistance(entries, foreignKeys, start)) {
      if (tables.length === maxTables) break;
      const isLate = entry.type === "view" && performance.now() > viewsUntil;
      const table = relatedTable(db, entry, foreignKeys.get(entry.name) ?? [], isLate);
      const bytes = Buffer.byteLength(JSON.stringify(table));
      if (bytes > left) continue;
      left -= bytes;
      tables.push(table);
    }
    return { tables, omitted: entries.length - tables.length };
  });
}

const foreignKeysFrom = (db: Database.Database, table: string): ForeignKeys =>
  foreignKeysOf(db, table).map((columns) => ({
    columns: columns.map(({ from }) => from),
    table: columns[0]?.table ?? "",
    references: columns.map(({ to }) => to),
  }));

/** Breadth first along foreign keys in both directions, then all others in the order of their names. */
function byDistance(entries: readonly TableEntry[], foreignKeys: ReadonlyMap<string, ForeignKeys>, start: readonly string[]): TableEntry[] {
  const byName = new Map(entries.map((entry) => [entry.name.toLowerCase(), entry]));
  const neighbours = new Map<string, Set<string>>();
  const connect = (from: string, to: string): void => void neighbours.set(from, (neighbours.get(from) ?? new Set()).add(to));
  for (const [name, keys] of foreignKeys) {
    for (const { table } of keys) {
      connect(name.toLowerCase(), table.toLowerCase());
      connect(table.toLowerCase(), name.toLowerCase());
    }
  }
  const reached = new Set(start.map((name) => name.toLowerCase()));
  for (const name of reached) for (const next of neighbours.get(name) ?? []) reached.add(next); // a Set visits what is added on the way
  return [...new Set([...[...reached].flatMap((name) => byName.get(name) ?? []), ...entries])];
}

function relatedTable(db: Database.Database, { name, type }: TableEntry, foreignKeys: ForeignKeys, isLate: boolean): RelatedTable {
  const { columns, error } = isLate
    ? { columns: [], error: "Columns not read: the views before it took too long." }
    : columnsOrError(db, name);
  return {
    name,
    type: type === "shadow" ? "table" : type,
    columns: columns.slice(0, MAX_COLUMNS).map((column) => ({
      name: column.name,
      type: column.type,
      ...(column.pk > 0 && { primaryKey: true as const }),
      ...(column.notnull === 1 && { notNull: true as const }),
    })),
    ...(columns.length > MAX_COLUMNS && { omittedColumns: columns.length - MAX_COLUMNS }),
    ...(error !== undefined && { error }),
    foreignKeys,
  };
}
