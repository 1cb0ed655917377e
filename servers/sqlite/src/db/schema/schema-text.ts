// The schema of a database as its CREATE statements.
import type { Engine } from "../engine/engine.ts";
import type { SchemaReply, SchemaRequest } from "../protocol/schema-messages.ts";
import { shadowTablesOf } from "./table-list.ts";

const CREATE_STATEMENTS = `
  SELECT name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
  ORDER BY tbl_name, type <> 'table', type, name`;

export function schemaText({ db }: Engine, { maxBytes }: SchemaRequest): SchemaReply {
  let text = "";
  let left = maxBytes;
  const shadows = shadowTablesOf(db);
  for (const { name, sql } of db.prepare<[], { name: string; sql: string }>(CREATE_STATEMENTS).iterate()) {
    if (shadows.has(name.toLowerCase())) continue;
    const statement = `${sql};\n`;
    left -= Buffer.byteLength(JSON.stringify(statement));
    if (left < 0) return { text: `${text}-- truncated: use list_tables and describe_table for the rest\n`, truncated: true };
    text += statement;
  }
  return { text, truncated: false };
}
