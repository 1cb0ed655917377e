// What a change takes away besides the rows and objects that it names: tables that go with a virtual table, and rows of tables that a
// virtual table takes for its own. Known only from the tables before and after.
import type Database from "better-sqlite3";
import { clip, counted } from "@oarlock/domain-kit";
import { changedRelation } from "../policy/schema-change.ts";
import type { AllowedStatement } from "../policy/statement-policy.ts";
import { quoteName } from "../schema/schema-pragmas.ts";
import { allTables, shadowNamesOfTable, type TableEntry } from "../schema/table-list.ts";
import { countOf } from "./altered-rows.ts";

export interface WithLosses<T> {
  readonly result: T;
  /** In words. */
  readonly losses: readonly string[];
}

/** Runs `act`, which executes the statement. */
export function withLosses<T>(db: Database.Database, { statement, rowEffects }: AllowedStatement, act: () => T): WithLosses<T> {
  // A statement that writes to a virtual table is never atomic: the code of that table runs statements of its own.
  if (!rowEffects.isAtomic) return losingRows(db, act);
  const changed = statement.verb === "DROP" || statement.verb === "ALTER" ? changedRelation(statement) : undefined;
  return changed === undefined ? { result: act(), losses: [] } : losingTables(db, changed, statement.verb === "ALTER", act);
}

function losingTables<T>(db: Database.Database, changed: string, isRename: boolean, act: () => T): WithLosses<T> {
  const claimed = new Set(shadowNamesOfTable(db, changed).map(({ name }) => name));
  if (claimed.size === 0) return { result: act(), losses: [] };
  const before = allTables(db)
    .filter(({ name, type }) => type !== "view" && claimed.has(name.toLowerCase()))
    .map((table) => ({ ...table, rows: countOf(db, table.name) }));
  const result = act();
  const after = allTables(db);
  const isThere = (wanted: string): boolean => after.some(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  // A renamed virtual table keeps its own tables under other names.
  const lost = before.filter(({ name, type }) => !isThere(name) && !(isRename && type === "shadow"));
  return { result, losses: lost.map(({ name, rows }) => `the table ${clip(name)} (${counted(rows, "row")})`) };
}

function losingRows<T>(db: Database.Database, act: () => T): WithLosses<T> {
  const taken = allTables(db).filter(({ takenBy }) => takenBy !== undefined);
  if (taken.length === 0) return { result: act(), losses: [] };
  const copies = taken.map((table, index) => copyOf(db, table, index));
  try {
    const result = act();
    const losses = copies.flatMap(({ table, copy, rows }) => {
      const lost = Math.max(rows - countOf(db, table), missingRows(db, copy, table));
      return lost === 0 ? [] : [`${counted(lost, "row")} of the table ${clip(table)}`];
    });
    return { result, losses };
  } finally {
    // A failed statement may have ended the transaction, and the copies with it.
    for (const { copy } of copies) db.exec(`DROP TABLE IF EXISTS temp.${copy}`);
  }
}

/** A copy, because a replaced row leaves the count as it was. Such tables are rare: the server creates none. */
function copyOf(db: Database.Database, { name }: TableEntry, index: number): { table: string; copy: string; rows: number } {
  const copy = quoteName(`oarlock_before_${index}`);
  db.exec(`CREATE TEMP TABLE ${copy} AS SELECT * FROM main.${quoteName(name)}`);
  return { table: name, copy, rows: countOf(db, name) };
}

const missingRows = (db: Database.Database, copy: string, table: string): number =>
  db
    .prepare<[], number>(`SELECT count(*) FROM (SELECT * FROM temp.${copy} EXCEPT SELECT * FROM main.${quoteName(table)})`)
    .pluck()
    .get() ?? 0;
