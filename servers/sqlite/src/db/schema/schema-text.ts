// The whole schema as the statements that make it.
import type { SchemaAsked, SchemaTold } from "../protocol/requests.ts";
import type { Engine } from "../engine/engine.ts";
import { tablesOf } from "./table-list.ts";

const STATEMENTS = `
  SELECT name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
  ORDER BY tbl_name, type <> 'table', type, name`;

export function schema({ db }: Engine, { bytes }: SchemaAsked): SchemaTold {
  let text = "";
  let left = bytes;
  const shadows = new Set(tablesOf(db).flatMap((table) => (table.type === "shadow" ? [table.name] : [])));
  for (const { name, sql } of db.prepare<[], { name: string; sql: string }>(STATEMENTS).iterate()) {
    if (shadows.has(name)) continue;
    const line = `${sql};\n`;
    left -= Buffer.byteLength(JSON.stringify(line));
    if (left < 0) return { text: `${text}-- truncated: list_tables and describe_table tell the rest\n`, truncated: true };
    text += line;
  }
  return { text, truncated: false };
}
