// SQLite's own checks of the file. One of the whole database stops where a table needs what is missing here, so then each table is checked.
import type Database from "better-sqlite3";
import { explainError } from "../engine/errors/error-messages.ts";
import { isObjectError } from "../engine/sqlite-errors.ts";
import { quoteName } from "../schema/schema-pragmas.ts";
import { allTables } from "../schema/table-list.ts";

export function checkIntegrity(db: Database.Database, check: "quick_check" | "integrity_check", maxLines: number): string[] {
  const linesOf = (argument: string): string[] => db.prepare<[], string>(`PRAGMA main.${check}(${argument})`).pluck().all();
  try {
    return linesOf(String(maxLines));
  } catch (error) {
    if (!isObjectError(error)) throw error;
  }
  const lines: string[] = [];
  let checked = 0;
  for (const { name, type } of allTables(db)) {
    if (type === "view") continue;
    try {
      const found = linesOf(quoteName(name));
      lines.push(...found.filter((line) => line !== "ok"));
      checked += 1;
    } catch (error) {
      const explained = isObjectError(error) ? explainError(error, `FROM ${quoteName(name)}`, db) : error;
      if (!(explained instanceof Error)) throw error;
      lines.push(`${name} cannot be checked: ${explained.message}`);
    }
    if (lines.length >= maxLines) break;
  }
  return [...lines, `${checked} tables were checked one by one.`].slice(0, maxLines);
}
