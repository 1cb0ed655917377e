// Comparisons by < and > that the data makes the same for all rows, or for a whole day: numbers with a text, texts with a number, and times
// with a day. https://sqlite.org/datatype3.html#comparison_expressions
import type Database from "better-sqlite3";
import { clip } from "@oarlock/domain-kit";
import { affinityOf } from "../../sql/affinity.ts";
import { timeColumns } from "../../schema/time-columns.ts";
import { firstRows, isNumeric, literal, type Comparison } from "./comparisons.ts";

/** Rows that are looked at. */
const MAX_ROWS = 20_000;

export function comparedWithOtherClass(db: Database.Database, comparisons: readonly Comparison[]): string[] {
  const remarks = comparisons.flatMap((one) => (one.operator === "=" ? [] : (classRemark(db, one) ?? dayRemark(db, one) ?? [])));
  return [...new Set(remarks)];
}

function classRemark(db: Database.Database, one: Comparison): string | undefined {
  const { table, column, value } = one;
  const affinity = affinityOf(one.type);
  const isNumber = affinity !== "text" && (typeof value === "number" || (affinity !== "none" && isNumeric(value)));
  // What such columns hold is of the same class, but for a few odd values.
  if (affinity === "text" || (isNumber && (affinity === "integer" || affinity === "real"))) return undefined;
  const alike = isNumber ? "'integer', 'real'" : "'text'";
  const first = firstRows(one, MAX_ROWS);
  if (db.prepare(`SELECT 1 ${first} WHERE typeof(v) IN (${alike}) LIMIT 1`).get() !== undefined) return undefined;
  const example = db.prepare<[]>(`SELECT v ${first} WHERE v IS NOT NULL LIMIT 1`).pluck().get();
  if (typeof example === "string" && isNumber) {
    const year = typeof value === "string" && /^(?:19|20)\d\d$/.test(value) ? `: write '${value}-01-01'` : "";
    return `${clip(column)} holds texts such as ${literal(example)}, and each text is greater than the number ${value}${year}`;
  }
  if (typeof example !== "number" || isNumber) return undefined;
  const read = timeColumns(db, table)[column];
  const next = read === undefined ? "" : `: use ${read}`;
  return `${clip(column)} holds numbers such as ${example}, and each number is less than the text ${literal(value)}${next}`;
}

/** `day <= '2024-05-31'` where a row has '2024-05-31 10:00'. */
function dayRemark(db: Database.Database, one: Comparison): string | undefined {
  const { operator, value, column } = one;
  if (operator !== "<=" || typeof value !== "string" || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined;
  const sql = `SELECT v ${firstRows(one, MAX_ROWS)} WHERE v > ? AND v < ? AND length(v) > 10 LIMIT 1`;
  const example = db.prepare<[string, string]>(sql).pluck().get(value, `${value}~`);
  if (typeof example !== "string") return undefined;
  return `${clip(column)} has times: ${literal(example)} is later than '${value}', so add the time or use < the next day`;
}
