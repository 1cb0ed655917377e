// Types of the columns of a new table, from the fields of a CSV file: every value must stay what it is.
import { blobOf, isExactReal, isInteger64, isNull, type Field } from "./dialect.ts";

export type ColumnType = "INTEGER" | "REAL" | "BLOB" | "TEXT";

/** The type that keeps all of these fields. */
export function columnTypeFor(fields: readonly Field[]): ColumnType {
  // NULL, BLOBs and the empty text stay what they are in a column of any type.
  const decisive = fields.filter((field) => !isNull(field) && field.text !== "" && blobOf(field) === undefined);
  if (decisive.length === 0) return fields.some((field) => blobOf(field) !== undefined) ? "BLOB" : "TEXT";
  if (decisive.some(({ isQuoted }) => isQuoted)) return "TEXT";
  if (decisive.every(({ text }) => isInteger64(text))) return "INTEGER";
  return decisive.every(({ text }) => isExactReal(text)) ? "REAL" : "TEXT";
}

/** Whether a column of this type keeps a field: as the number that it is, or as a text that SQLite does not convert. */
export function keeps(type: ColumnType, field: Field): boolean {
  if (type === "TEXT" || type === "BLOB" || blobOf(field) !== undefined) return true;
  const { text, isQuoted } = field;
  if (!CONVERTED_TO_NUMBER.test(text)) return true;
  return !isQuoted && (isExactReal(text) || (type === "INTEGER" && isInteger64(text)));
}

/** Texts that SQLite converts in a column with numeric affinity: https://sqlite.org/datatype3.html#type_affinity */
const CONVERTED_TO_NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/;
