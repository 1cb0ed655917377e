// The key of a row as JSON, for a cursor, and as bound parameters.
import type { SqlValue } from "../csv/dialect.ts";
import type { KeyValue } from "../protocol/rows.ts";
import { InexactInteger } from "../rows/row-encoder.ts";

/** A cursor stands in the first lines of a reply. */
const MAX_KEY_LENGTH = 500;

/**
 * Undefined where the key is too long for a cursor, or holds a text that the driver has replaced.
 * @param usesBigInts Otherwise a number may be a rounded integer: this throws, and the statement has to run again with `bigint`.
 */
export function keyOf(values: readonly SqlValue[], usesBigInts: boolean): KeyValue[] | undefined {
  if (!usesBigInts && values.some(isRounded)) throw new InexactInteger();
  const key = values.map(keyValue);
  const json = JSON.stringify(key);
  return json.length > MAX_KEY_LENGTH || json.includes("\uFFFD") ? undefined : key;
}

const isRounded = (value: SqlValue): boolean =>
  typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER && Math.abs(value) <= 2 ** 63;

function keyValue(value: SqlValue): KeyValue {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : { integer: String(value) };
  if (typeof value === "number" && !Number.isFinite(value)) return { real: String(value) };
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) return { real: String(value) };
  return value === null || typeof value === "string" || typeof value === "number" ? value : { base64: value.toString("base64") };
}

export function boundKeyValue(value: KeyValue): unknown {
  if (value === null || typeof value !== "object") return value;
  if ("integer" in value) return BigInt(value.integer);
  return "real" in value ? Number(value.real) : Buffer.from(value.base64, "base64");
}
