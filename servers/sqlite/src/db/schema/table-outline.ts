// What a query needs to know of a table besides its CREATE statement: where its foreign keys lead, and what its values look like.
import type Database from "better-sqlite3";
import { truncateText } from "@oarlock/domain-kit";
import { fieldOf, type SqlValue } from "../csv/dialect.ts";
import { CSV } from "../csv/text-formats.ts";
import { isObjectError } from "../engine/sqlite-errors.ts";
import { quoteName } from "../sql/tokens.ts";
import { columnNamesOf, foreignKeysOf } from "./schema-pragmas.ts";

const SAMPLE_ROWS = 3;
const MAX_VALUES = 8;
const MAX_VALUE_BYTES = 30;
const MAX_VALUE_COLUMNS = 20;
/** Rows whose values are looked at. */
const VALUE_ROWS = 1000;
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

/** Columns whose texts repeat, such as a status, with their different texts in the first rows. */
export function repeatedValues(db: Database.Database, table: string): Readonly<Record<string, readonly string[]>> {
  try {
    const lists = columnNamesOf(db, table)
      .slice(0, MAX_VALUE_COLUMNS)
      .map((column) => [column, differentTexts(db, table, column)] as const);
    return Object.fromEntries(lists.filter(([, texts]) => texts.length > 0));
  } catch (error) {
    if (!isObjectError(error)) throw error;
    return {};
  }
}

/** None where texts are long or mostly differ, or where other values stand between them. */
function differentTexts(db: Database.Database, table: string, column: string): string[] {
  const name = quoteName(column);
  // A number stands for every other value: it is read by its size only.
  const value = `CASE WHEN ${name} IS NULL THEN NULL WHEN typeof(${name}) = 'text' AND octet_length(${name}) <= ${MAX_VALUE_BYTES} THEN ${name} ELSE 0 END`;
  const first = `SELECT ${value} AS value FROM main.${quoteName(table)} LIMIT ${VALUE_ROWS}`;
  const groups = db
    .prepare<[], { value: string | number | null; n: number }>(
      `SELECT value, count(*) AS n FROM (${first}) GROUP BY 1 LIMIT ${MAX_VALUES + 2}`,
    )
    .all()
    .filter((group) => group.value !== null);
  const texts = groups.flatMap((group) => (typeof group.value === "string" ? [group.value] : []));
  const rows = groups.reduce((sum, { n }) => sum + n, 0);
  return texts.length === groups.length && texts.length <= MAX_VALUES && rows >= 2 * texts.length ? texts : [];
}

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
