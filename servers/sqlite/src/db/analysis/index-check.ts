// Redundant indexes, and foreign keys that no index supports.
import type Database from "better-sqlite3";
import { columnsOf, foreignKeysOf, indexColumnsOf, indexesOf, primaryKeyOf } from "../schema/schema-pragmas.ts";
import { userTables } from "../schema/table-list.ts";

/** Cuts a list of findings, and notes in the reply that it did. */
export type CutList = <T>(findings: readonly T[]) => readonly T[];

interface Index {
  readonly table: string;
  readonly name: string;
  /** Joined by commas. */
  readonly columns: string;
  readonly hasExpression: boolean;
  readonly isUnique: boolean;
  readonly isPartial: boolean;
}

export function checkIndexes(db: Database.Database, cut: CutList): object {
  const tables = userTables(db).flatMap(({ name, type }) => (type === "table" ? [name] : []));
  const indexes = tables.flatMap((table) => indexesIn(db, table));
  const redundant = indexes.filter((index) => indexes.some((other) => replaces(other, index)));
  const missing = tables.flatMap((table) => keysWithoutIndex(db, table, indexes));
  return {
    redundant: cut(redundant).map(({ table, name, columns }) => ({ table, index: name, columns: columns.split(",") })),
    missingForForeignKeys: cut(missing).map(({ table, columns }) => ({ table, columns: columns.split(",") })),
  };
}

const indexesIn = (db: Database.Database, table: string): Index[] =>
  indexesOf(db, table).map(({ name, unique, partial }) => {
    const columns = indexColumnsOf(db, name).map((column) => column.name);
    return {
      table,
      name,
      columns: columns.map((column) => column ?? "(expression)").join(),
      hasExpression: columns.includes(null),
      isUnique: unique === 1,
      isPartial: partial === 1,
    };
  });

/** Whether an index on the longer list of columns serves searches for the shorter one. */
const covers = (longer: string, shorter: string): boolean => longer === shorter || longer.startsWith(`${shorter},`);

/** Whether `index` could be dropped because of `other`. Of two equal ones, the later is redundant. */
function replaces(other: Index, index: Index): boolean {
  if (other === index || other.table !== index.table || other.isPartial || !covers(other.columns, index.columns)) return false;
  if (index.isUnique || index.isPartial || index.hasExpression) return false;
  return other.columns !== index.columns || other.isUnique || other.name < index.name;
}

function keysWithoutIndex(db: Database.Database, table: string, indexes: readonly Index[]): { table: string; columns: string }[] {
  const primaryKey = primaryKeyOf(columnsOf(db, table)).join();
  return foreignKeysOf(db, table)
    .map((key) => ({ table, columns: key.map(({ from }) => from).join() }))
    .filter(
      ({ columns }) => !covers(primaryKey, columns) && !indexes.some((index) => index.table === table && covers(index.columns, columns)),
    );
}
