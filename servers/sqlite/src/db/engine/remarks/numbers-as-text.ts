// Columns of numbers that are stored as text, where a statement compares or sorts them as numbers: '9' > '10'.
import type Database from "better-sqlite3";
import { clip } from "@oarlock/domain-kit";
import { affinityOf } from "../../sql/affinity.ts";
import type { Statement } from "../../sql/statement.ts";
import { isSymbol, isWord } from "../../sql/tokens.ts";
import { columnAt, firstRows, isNumeric, type Comparison, type TableColumn } from "./comparisons.ts";

/** Rows that are looked at. */
const MAX_ROWS = 20_000;

export function numbersAsText(db: Database.Database, statement: Statement, comparisons: readonly Comparison[]): string[] {
  const hasText = (one: TableColumn): boolean => affinityOf(one.type) === "text";
  const compared = comparisons.filter((one) => one.operator !== "=" && isNumeric(one.value) && hasText(one));
  const sorted = sortedColumns(db, statement).filter(hasText);
  const found = [...compared.filter((one) => comparesOtherwise(db, one)), ...sorted.filter((one) => sortsOtherwise(db, one))];
  return [...new Set(found.map(({ column }) => column))].map(
    (column) => `${clip(column)} has numbers as text, where '9' > '10': use CAST(${clip(column)} AS REAL)`,
  );
}

/** Each column that ORDER BY begins with, or that is the argument of max() or min(). */
function sortedColumns(db: Database.Database, statement: Statement): TableColumn[] {
  const { tokens } = statement;
  return tokens.flatMap((token, index) => {
    const isSort = isWord(token, "ORDER") && isWord(tokens[index + 1], "BY");
    const isExtreme = /^(?:max|min)$/i.test(token.value) && isSymbol(tokens[index + 1], "(");
    if (!isSort && !isExtreme) return [];
    const end = isSymbol(tokens[index + 3], ".") ? index + 4 : index + 2;
    const next = tokens[end + 1];
    const isAlone = next === undefined || [")", ","].includes(next.value) || ["DESC", "ASC", "LIMIT"].some((word) => isWord(next, word));
    return isAlone ? (columnAt(db, statement, end) ?? []) : [];
  });
}

const NUMBER = "typeof(v) = 'text' AND v GLOB '[0-9]*' AND v NOT GLOB '*[^0-9.]*' AND v NOT GLOB '*.*.*'";

function comparesOtherwise(db: Database.Database, one: Comparison): boolean {
  const sql = `SELECT 1 ${firstRows(one, MAX_ROWS)} WHERE ${NUMBER} AND (v ${one.operator} CAST(:value AS TEXT)) <> (CAST(v AS REAL) ${one.operator} CAST(:value AS REAL)) LIMIT 1`;
  return db.prepare(sql).get({ value: String(one.value) }) !== undefined;
}

/** Whether all values are numbers without zeros before them, and have more and fewer digits before the point. */
function sortsOtherwise(db: Database.Database, one: TableColumn): boolean {
  const digits = "length(CAST(CAST(v AS INTEGER) AS TEXT))";
  // A few rows show that most columns hold other texts.
  if (db.prepare(`SELECT 1 ${firstRows(one, 20)} WHERE v IS NOT NULL AND NOT (${NUMBER}) LIMIT 1`).get() !== undefined) return false;
  const sql = `SELECT sum(v IS NOT NULL) = sum(${NUMBER} AND v NOT GLOB '0[0-9]*') AND min(${digits}) < max(${digits}) ${firstRows(one, MAX_ROWS)}`;
  return db.prepare<[], number>(sql).pluck().get() === 1;
}
