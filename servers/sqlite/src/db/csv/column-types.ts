// What kind of column the values of a CSV file make: one in which every value stays what it is.

export type Kind = "INTEGER" | "REAL" | "TEXT";

/** What all of the first values look like. A number with a zero before it is a text, like a phone number. */
export function kindOf(all: readonly string[]): Kind {
  const values = all.filter((value) => value !== "");
  if (values.length === 0) return "TEXT";
  if (values.every(isInteger)) return "INTEGER";
  return values.every(isReal) ? "REAL" : "TEXT";
}

/** Whether a column keeps a value: as the number that it is, or as a text that SQLite would not take for one. */
export const keeps = (kind: Kind, value: string): boolean =>
  kind === "TEXT" || isReal(value) || (kind === "INTEGER" && isInteger(value)) || !TAKEN_FOR_NUMBER.test(value);

/** What SQLite makes a number of in a column of numbers. */
const TAKEN_FOR_NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

/** One of 64 bits. */
const isInteger = (value: string): boolean =>
  /^(?:0|-?[1-9]\d{0,18})$/.test(value) && (value.length < 19 || BigInt.asIntN(64, BigInt(value)) === BigInt(value));

/** A decimal number that no digit is lost of. */
function isReal(value: string): boolean {
  const [, whole = "", part = ""] = /^-?(0|[1-9]\d*)(?:\.(\d+))?(?:[eE][+-]?\d+)?$/.exec(value) ?? [];
  if (whole === "") return false;
  const digits = (whole + part).replace(/^0+/, "");
  const number = Number(value);
  return Number.isFinite(number) && (number === 0) === (digits === "") && (digits.length <= 15 || String(number) === value);
}
