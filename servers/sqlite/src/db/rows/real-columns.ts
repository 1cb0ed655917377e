// Which columns may hold numbers with a decimal point, by SQLite's rules: https://sqlite.org/datatype3.html#determination_of_column_affinity
import type { Column } from "../protocol/rows.ts";

/** "never": a whole number is stored as an integer. "either": as it was written. */
export type HoldsReals = "always" | "never" | "either";

export function holdsReals({ declaredType }: Column): HoldsReals {
  if (declaredType === null) return "either"; // an expression
  if (/INT|CHAR|CLOB|TEXT/i.test(declaredType)) return "never";
  if (declaredType === "" || /BLOB|^ANY$/i.test(declaredType)) return "either";
  return /REAL|FLOA|DOUB/i.test(declaredType) ? "always" : "never";
}

/** The rows of such columns are exact only with integers as `bigint`. */
export const mayHoldBothKinds = (columns: readonly Column[]): boolean => columns.some((column) => holdsReals(column) === "either");

/** TypeScript does not declare this function yet. It takes the text of a JSON value. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): object };

/** A REAL in JSON: `1.0` keeps its decimal point, as in SQLite. Larger numbers have an exponent. */
export const realCell = (value: number): number | object =>
  Number.isInteger(value) && Math.abs(value) < 1e21 ? rawJSON(`${Object.is(value, -0) ? "-0" : value}.0`) : value;
