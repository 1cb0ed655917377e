// The columns of a table for the values of a CSV file: every value must stay what it is.
import { blobOf, isInteger64, numberOf, type Field } from "./dialect.ts";
import type { ColumnProfile, ValueFormats } from "./column-profile.ts";
import { convertedByAffinity } from "./value-kinds.ts";

/** `""` is a column without a type, which converts nothing. */
export type ColumnType = "INTEGER" | "REAL" | "NUMERIC" | "BLOB" | "TEXT" | "";

/** What is done with the fields of a column before they are inserted. */
export type Reading = "number" | "date" | "as written";

/** The type of a new column that keeps all of these fields. */
export function columnTypeFor(profile: ColumnProfile, reading: Reading): ColumnType {
  // NULL, BLOBs and the empty text stay what they are in a column of any type.
  if (profile.filled === 0) return profile.blobs > 0 ? "BLOB" : "TEXT";
  if (reading === "date") return "TEXT";
  if (reading === "number" && profile.hasConvertibleRest) return "";
  if (reading === "number") return profile.read.integers === profile.read.number ? "INTEGER" : "REAL";
  if (profile.texts > 0) return "TEXT";
  if (profile.exactReals === 0) return "INTEGER";
  if (profile.integers === 0) return "REAL";
  return profile.wholeReals === 0 ? "NUMERIC" : "TEXT";
}

/**
 * How the caller's formats read a column: as numbers where one has decimals, groups or blanks, as dates where one is a date, and more than half of the values
 * are such. A column with codes such as `007` has no quantities.
 */
export function readingOf({ read, filled, codes }: ColumnProfile, formats: ValueFormats): Reading {
  if (formats.date !== undefined && read.date * 2 > filled) return "date";
  if (formats.decimal !== undefined && codes === 0 && read.unlikeSqlite > 0 && read.number * 2 > filled) return "number";
  return "as written";
}

/** Whether a column of this type keeps a field: as the number that it is, or as a text that SQLite does not convert. */
export function keeps(type: ColumnType, field: Field): boolean {
  if (type === "TEXT" || type === "BLOB" || type === "" || blobOf(field) !== undefined || !convertedByAffinity(field.text)) return true;
  if (isInteger64(field.text)) return !field.isQuoted && type !== "REAL";
  const number = numberOf(field);
  return number !== undefined && (type === "REAL" || !Number.isInteger(number));
}
