// The dialect of all tables in text, written and read: CSV files, CSV replies and Markdown replies (docs/sqlite.md, "CSV").
// A bare field is NULL (empty), a number, a BLOB (`x'0102ff'`) or a text that looks like none of these. A quoted field is always text.

export type SqlValue = null | string | number | bigint | Buffer;

export interface Field {
  /** Without its quotes. */
  readonly text: string;
  readonly isQuoted: boolean;
}

const NUMBER = /[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|Infinity)/i;
/** A bare text like this would come back as something else, or lose the blanks around it. */
const MUST_BE_QUOTED = new RegExp(`^$|^[\\s"]|\\s$|^x'|^${NUMBER.source}$`, "i");

const BLOB = /^x'((?:[0-9a-f]{2})*)'$/i;
const TRUNCATED_BLOB = /^x'[0-9a-f]*…'$/i;

/** @param maxBlobBytes Longer BLOBs are truncated and end in an ellipsis: `x'0102…'`. Default: never. */
export function fieldOf(value: SqlValue, maxBlobBytes = Infinity): Field {
  if (typeof value === "string") return { text: value, isQuoted: MUST_BE_QUOTED.test(value) };
  return { text: bareText(value, maxBlobBytes), isQuoted: false };
}

function bareText(value: Exclude<SqlValue, string>, maxBlobBytes: number): string {
  if (value === null) return "";
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return realText(value);
  const isTruncated = value.length > maxBlobBytes;
  return `x'${value.toString("hex", 0, Math.min(value.length, maxBlobBytes))}${isTruncated ? "…" : ""}'`;
}

/** A REAL keeps its decimal point, as in SQLite: `1.0` stays distinct from the integer `1`. */
function realText(value: number): string {
  const text = String(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

export const isNull = ({ text, isQuoted }: Field): boolean => text === "" && !isQuoted;

/** The bytes of a BLOB; undefined for every other field. */
export function blobOf({ text, isQuoted }: Field): Buffer | undefined {
  const hex = isQuoted ? undefined : BLOB.exec(text)?.[1];
  return hex === undefined ? undefined : Buffer.from(hex, "hex");
}

export const isTruncatedBlob = ({ text, isQuoted }: Field): boolean => !isQuoted && TRUNCATED_BLOB.test(text);

/** The number of a bare field that would be written with the same digits again; undefined for every other field. */
export function numberOf({ text, isQuoted }: Field): number | bigint | undefined {
  if (isQuoted) return undefined;
  if (isInteger64(text)) return BigInt(text);
  const number = Number(text);
  return !Number.isNaN(number) && realText(number) === text ? number : undefined;
}

/** A 64-bit integer without leading zeros: `007` is a text, like a telephone number. */
export const isInteger64 = (text: string): boolean =>
  /^(?:0|-?[1-9]\d{0,18})$/.test(text) && (text.length < 19 || BigInt.asIntN(64, BigInt(text)) === BigInt(text));
