// What a query needs to know of a table besides its CREATE statement: where its foreign keys lead, and what its values look like.
import type Database from "better-sqlite3";
import { truncateText } from "@oarlock/domain-kit";
import { fieldOf, type SqlValue } from "../csv/dialect.ts";
import { CSV } from "../csv/text-formats.ts";
import { isObjectError } from "../engine/sqlite-errors.ts";
import { quoteName } from "../sql/tokens.ts";
import { columnNamesOf, foreignKeysOf } from "./schema-pragmas.ts";

const SAMPLE_ROWS = 3;
const MAX_TEXT = 60;
const MAX_BLOB_BYTES = 8;
/** Longer values are named by their size, which SQLite knows without reading them. */
const MAX_READ_BYTES = 64 * 1024;
/** Each column takes a comma at least. */
const MAX_LINE = 400;

/** Such as `customer_id → customers(id)`. Without the other side's columns where the key refers to its primary key. */
export const foreignKeyLines = (db: Database.Database, table: string): string[] =>
  foreignKeysOf(db, table).map((key) => {
    const [to, from] = [key.flatMap((column) => column.to ?? []), key.map((column) => column.from)];
    return `${from.join(", ")} → ${key[0]?.table ?? ""}${to.length === 0 ? "" : `(${to.join(", ")})`}`;
  });

/** The first rows as lines of CSV with short values; none where the table cannot be read. */
export function sampleLines(db: Database.Database, table: string): string[] {
  try {
    const values = columnNamesOf(db, table).slice(0, MAX_LINE).map(sampleValue);
    const rows = db
      .prepare<[], SqlValue[]>(`SELECT ${values.join(", ")} FROM main.${quoteName(table)} LIMIT ${SAMPLE_ROWS}`)
      .raw()
      .safeIntegers()
      .all();
    return rows.map((row) => truncateText(CSV.rows([row.map(shortField)]).trimEnd(), MAX_LINE));
  } catch (error) {
    if (!isObjectError(error)) throw error;
    return [];
  }
}

function sampleValue(column: string): string {
  const name = quoteName(column);
  return `iif(octet_length(${name}) > ${MAX_READ_BYTES}, '(' || typeof(${name}) || ' of ' || octet_length(${name}) || ' bytes)', ${name})`;
}

const shortField = (value: SqlValue): ReturnType<typeof fieldOf> =>
  fieldOf(typeof value === "string" ? truncateText(value, MAX_TEXT) : value, MAX_BLOB_BYTES);
