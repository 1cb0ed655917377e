// Data that is not what it looks like: missing links, values of other types, numbers and dates as text, near duplicates. It ends in time.
import type Database from "better-sqlite3";
import { isObjectError } from "../engine/sqlite-errors.ts";
import { columnNamesOf } from "../schema/schema-pragmas.ts";
import { userTables } from "../schema/table-list.ts";
import { SearchStopped } from "../search/search-conditions.ts";
import { checkColumn } from "./column-checks.ts";
import { CheckedTable, type Finding } from "./finding.ts";
import { checkLinks, linkTargets } from "./links.ts";

/** After this time, further tables are named instead of checked. */
const MAX_CHECK_MS = 10_000;
const MAX_COLUMNS = 200;

export interface DataReply {
  readonly findings: readonly Finding[];
  /** Columns that look like links without a foreign key, and have no orphans: `orders.customer_id -> customers.id`. */
  readonly links?: readonly string[];
  /** Tables that were not checked, or not to their end, and why. */
  readonly notChecked?: readonly { readonly table: string; readonly reason: string }[];
}

export function checkData(db: Database.Database, maxMs = MAX_CHECK_MS): DataReply {
  const until = performance.now() + maxMs;
  const tables = userTables(db).flatMap(({ name, type }) => (type === "table" ? [name] : []));
  const targets = linkTargets(db, tables);
  const findings: Finding[] = [];
  const intact: string[] = [];
  const notChecked: { table: string; reason: string }[] = [];
  for (const name of tables) {
    try {
      const all = columnNamesOf(db, name);
      const columns = all.slice(0, MAX_COLUMNS);
      const table = new CheckedTable(db, name, until);
      const links = checkLinks(db, table, columns, targets);
      intact.push(...links.filter((link) => typeof link === "string"));
      findings.push(...links.filter((link) => typeof link !== "string"));
      for (const column of columns) findings.push(...checkColumn(table, column));
      if (all.length > MAX_COLUMNS) notChecked.push({ table: name, reason: `its columns after the first ${MAX_COLUMNS}` });
    } catch (error) {
      if (error instanceof SearchStopped) notChecked.push({ table: name, reason: `the check ends after ${maxMs / 1000} seconds` });
      else if (isObjectError(error)) notChecked.push({ table: name, reason: error.message });
      else throw error;
    }
  }
  return { findings, ...(intact.length > 0 && { links: intact }), ...(notChecked.length > 0 && { notChecked }) };
}
