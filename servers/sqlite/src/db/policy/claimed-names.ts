// Refuses a virtual table whose name makes SQLite take existing tables for its own: they could no longer be changed, and a rebuild or a
// DROP of the virtual table would empty or drop them.
import type Database from "better-sqlite3";
import { clip } from "@oarlock/domain-kit";
import { refusal } from "../errors.ts";
import { shadowNamesOf } from "../schema/shadow-tables.ts";
import { allTables, moduleOf, sameTable, shadowNamesOfTable } from "../schema/table-list.ts";
import type { Statement } from "../sql/statement.ts";
import { createdOrDropped, renamedTable } from "./schema-change.ts";

export function checkClaimedNames(db: Database.Database, statement: Statement): void {
  const claim = claimOf(db, statement);
  if (claim === undefined) return;
  const tables = allTables(db);
  // Where the name itself is taken, SQLite refuses the statement or, with IF NOT EXISTS, does nothing.
  if (sameTable(tables, claim.name) !== undefined) return;
  const claimed = new Set(shadowNamesOf(claim.name, claim.module).map(({ name }) => name));
  const taken = tables.filter(({ name }) => claimed.has(name.toLowerCase())).map(({ name }) => clip(name));
  if (taken.length === 0) return;
  const what = taken.length === 1 ? "the existing table" : "the existing tables";
  throw refusal(
    `A virtual table cannot be called ${clip(claim.name)}: SQLite would take ${what} ${taken.join(", ")} for its own. Choose another name.`,
  );
}

/** The name that a virtual table gets, and its module. */
function claimOf(db: Database.Database, statement: Statement): { name: string; module: string } | undefined {
  const renamed = renamedTable(statement);
  if (renamed !== undefined) {
    const [own] = shadowNamesOfTable(db, renamed.table);
    return own === undefined ? undefined : { name: renamed.newName, module: own.module };
  }
  if (statement.verb !== "CREATE") return undefined;
  const { kind, name } = createdOrDropped(statement);
  return kind === "VIRTUAL TABLE" ? { name, module: moduleOf(statement.sql) } : undefined;
}
