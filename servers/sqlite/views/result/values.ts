// Values of a result: what kind a column has, and how a value is shown, compared and exported.
import type { Row } from "./rows.ts";

export type Kind = "number" | "date" | "text";

const DATE = /^\d{4}-\d\d(-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?)?$/;
const INTEGER = /^-?\d{16,19}$/;

/** Integers past 2^53 come as text. */
export const isLargeInteger = (text: string): boolean => INTEGER.test(text) && !Number.isSafeInteger(Number(text));

/** The kind that all values of a column have, NULL aside. */
export function kindOf(rows: readonly Row[], at: number): Kind {
  const values = rows.map((row) => row[at]).filter((value) => !isNull(value));
  if (values.length === 0) return "text";
  if (values.every(isNumber)) return "number";
  return values.every((value) => typeof value === "string" && value.length < 40 && DATE.test(value)) ? "date" : "text";
}

const isNumber = (value: unknown): boolean => typeof value === "number" || (typeof value === "string" && isLargeInteger(value));

export const isNull = (value: unknown): boolean => value === null || value === undefined;

/** The value as text, complete. */
export function textOfValue(value: unknown): string {
  if (isNull(value)) return "NULL";
  if (typeof value === "string") return value;
  const { bytes } = value as { bytes?: unknown }; // a BLOB is {bytes, base64}; numbers have no such member
  return typeof bytes === "number" ? `BLOB, ${bytes.toLocaleString("en")} ${bytes === 1 ? "byte" : "bytes"}` : JSON.stringify(value);
}

/** Milliseconds since 1970; dates without a time zone are UTC, as in SQLite. */
export function timeOf(value: unknown): number {
  const text = String(value).replace(" ", "T");
  return Date.parse(/T/.test(text) && !/(Z|[+-]\d\d:?\d\d)$/.test(text) ? `${text}Z` : text);
}

type Key = { readonly rank: number; readonly value: number | string };

/** As SQLite sorts: NULL, numbers, texts, BLOBs. */
function keyOf(value: unknown, kind: Kind): Key {
  if (isNull(value)) return { rank: 0, value: 0 };
  if (typeof value === "number" || (kind === "number" && typeof value === "string")) return { rank: 1, value: Number(value) };
  if (typeof value === "string") return { rank: 2, value: value.length > 200 ? value.slice(0, 200) : value };
  return { rank: 3, value: textOfValue(value) };
}

/** The rows by the values of a column; equal ones keep their order. */
export function sortedBy(rows: readonly Row[], { at, kind, isDescending }: { at: number; kind: Kind; isDescending: boolean }): Row[] {
  const keyed = rows.map((row) => ({ row, key: keyOf(row[at], kind) }));
  const sign = isDescending ? -1 : 1;
  keyed.sort(({ key: one, row: a }, { key: other, row: b }) => {
    if (one.rank !== other.rank) return sign * (one.rank - other.rank);
    if (one.value !== other.value) return one.value < other.value ? -sign : sign;
    const [left, right] = [a[at], b[at]];
    if (typeof left !== "string" || typeof right !== "string" || left === right) return 0; // longer texts, and integers past 2^53
    if (kind === "number") return BigInt(left) < BigInt(right) ? -sign : sign;
    return left < right ? -sign : sign;
  });
  return keyed.map(({ row }) => row);
}

/** Rows with a value that contains the text, letter case ignored. */
export function filteredBy(rows: readonly Row[], text: string): readonly Row[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return rows;
  return rows.filter((row) => row.some((value) => textOfValue(value).toLowerCase().includes(wanted)));
}
