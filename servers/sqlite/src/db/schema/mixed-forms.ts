// Columns whose texts have several forms of dates or numbers, such as 2024-03-12 and 12.03.2024: SQL compares, sorts and cuts them letter by
// letter. The first rows often have one form only, so rows from the whole table are looked at.
import type Database from "better-sqlite3";
import { clip } from "@oarlock/domain-kit";
import { dateIn, hasUnit, numberIn } from "../csv/value-kinds.ts";
import { isObjectError } from "../engine/sqlite-errors.ts";
import { quoteName } from "../sql/tokens.ts";
import { columnNamesOf, rowidName } from "./schema-pragmas.ts";

const MAX_COLUMNS = 20;
/** Of row ids at equal distances. */
const BLOCKS = 40;
const ROWS_IN_BLOCK = 25;
/** A prime number. */
const SHIFT = 7919;
const MAX_BYTES = 40;
/** The share of the values that are dates, or numbers. */
const MIN_SHARE = 0.7;
const MIN_VALUES = 3;
/** Forms that are named besides the usual one. */
const MAX_NAMED = 3;

interface Form {
  readonly family: "date" | "number";
  readonly key: string;
}

const STORED_NUMBER: Form = { family: "number", key: "stored as a number" };

/** Column → its less usual forms, such as `also "12.03.2024": 11 %`. */
export function mixedForms(db: Database.Database, table: string): Readonly<Record<string, string>> {
  try {
    const columns = columnNamesOf(db, table);
    const names = columns.slice(0, MAX_COLUMNS);
    const rows = sampleOf(db, table, names, rowidName(columns));
    return Object.fromEntries(
      names.flatMap((name, index) => {
        const forms = otherForms(rows.flatMap((row) => row[index] ?? []));
        return forms === undefined ? [] : [[name, forms]];
      }),
    );
  } catch (error) {
    if (!isObjectError(error)) throw error;
    return {};
  }
}

/** Short texts as they are; 0 for each number, and an empty text for other values. */
function sampleOf(db: Database.Database, table: string, names: readonly string[], rowid: string | undefined): (string | number | null)[][] {
  const values = names
    .map(quoteName)
    .map(
      (name) =>
        `CASE typeof(${name}) WHEN 'null' THEN NULL WHEN 'integer' THEN 0 WHEN 'real' THEN 0 WHEN 'text' THEN iif(octet_length(${name}) <= ${MAX_BYTES}, ${name}, '') ELSE '' END`,
    );
  const source = `SELECT ${values.join(", ")} FROM main.${quoteName(table)}`;
  type Row = (string | number | null)[];
  const firstRows = (): Row[] =>
    db
      .prepare<[], Row>(`${source} LIMIT ${BLOCKS * ROWS_IN_BLOCK}`)
      .raw()
      .all();
  if (rowid === undefined) return firstRows();
  let ends: [number | null, number | null] | undefined;
  try {
    ends = db
      .prepare<[], [number | null, number | null]>(`SELECT min(${rowid}), max(${rowid}) FROM main.${quoteName(table)}`)
      .raw()
      .get();
  } catch {
    return firstRows(); // a table without row ids
  }
  const [low, high] = ends ?? [null, null];
  if (low === null || high === null) return [];
  if (high - low < BLOCKS * ROWS_IN_BLOCK) return firstRows();
  const block = db.prepare<[number, number], Row>(`${source} WHERE ${rowid} >= ? AND ${rowid} < ? LIMIT ${ROWS_IN_BLOCK}`).raw();
  const step = (high + 1 - low) / BLOCKS;
  const room = Math.max(0, Math.floor(step) - ROWS_IN_BLOCK);
  return Array.from({ length: BLOCKS }, (_, at) => {
    // At another distance each time, because programs write rows in rhythms.
    const start = Math.floor(low + at * step) + (room === 0 ? 0 : (at * SHIFT) % room);
    return block.all(start, Math.floor(low + (at + 1) * step));
  }).flat();
}

function otherForms(values: readonly (string | number)[]): string | undefined {
  const filled = values.filter((value) => value !== "");
  const found = new Map<string, { form: Form; example: string; count: number }>();
  for (const value of filled) {
    const form = typeof value === "number" ? STORED_NUMBER : formOf(value.trim());
    if (form === undefined) continue;
    const known = found.get(form.key);
    if (known === undefined) found.set(form.key, { form, example: String(value), count: 1 });
    else known.count += 1;
  }
  const forms = [...found.values()].toSorted((one, other) => other.count - one.count);
  const [usual, ...others] = forms;
  const family = forms.filter(({ form }) => form.family === usual?.form.family);
  const all = family.reduce((sum, { count }) => sum + count, 0);
  if (usual === undefined || all < MIN_VALUES || all < MIN_SHARE * filled.length) return undefined;
  const rest = others.filter(({ form }) => form.family === usual.form.family && isOther(form, usual.form)).slice(0, MAX_NAMED);
  const named = rest.map(({ example, count }) => `${JSON.stringify(clip(example, MAX_BYTES))}: ${percentOf(count, filled.length)}`);
  return named.length === 0 ? undefined : `also ${named.join(", ")}`;
}

/** SQLite reads plain digits in a text as the number. */
const isOther = (form: Form, usual: Form): boolean =>
  form !== STORED_NUMBER && !(form.key === "plain" && usual === STORED_NUMBER) && form.key !== usual.key;

const percentOf = (count: number, all: number): string => {
  const percent = (100 * count) / all;
  return percent < 1 ? "less than 1 %" : `${Math.round(percent)} %`;
};

function formOf(text: string): Form | undefined {
  const day = dateIn(text)?.day;
  if (day !== undefined) {
    const sign = /^\d+([-./])\d+\1\d+$/.exec(day)?.[1];
    return { family: "date", key: sign === undefined ? "month by name" : `${/^\d{4}/.test(day) ? "year first" : "year last"} ${sign}` };
  }
  if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text)) return { family: "number", key: "plain" };
  if (hasUnit(text)) return { family: "number", key: "unit" };
  const isNumber = numberIn(text, ".") !== undefined || numberIn(text, ",") !== undefined;
  return isNumber
    ? {
        family: "number",
        key: text
          .replaceAll(/\d+/g, "")
          .replace(/^[-+]/, "")
          .replaceAll(/([.,])\1+/g, "$1"),
      }
    : undefined;
}
