// Parameters of a statement and the values bound to them: the count is exact, and a value is bound unchanged or refused.
import { clip, counted } from "@oarlock/domain-kit";
import { refusal } from "../errors.ts";
import type { Statement } from "./statement.ts";

export type Params = readonly unknown[] | Readonly<Record<string, unknown>>;
export type BoundValue = string | number | bigint | null | Uint8Array;

/** SQLite's own limit. */
const MAX_PARAMETERS = 32_766;

/** The arguments for better-sqlite3: values for `?` in order, and one object for all named parameters. */
export function bindValues({ variables }: Statement, params: Params | undefined): unknown[] {
  const names = [...new Set(variables.filter((name) => !name.startsWith("?")).map((name) => name.slice(1)))];
  if (names.length === 0) return bindByPosition(variables, params);
  if (variables.some((name) => name.startsWith("?"))) throw refusal("The statement mixes ? with named parameters. Use one kind only.");
  // `$1` and `$2`, as PostgreSQL numbers them.
  if (params !== undefined && isList(params) && names.every((name) => /^[1-9]\d{0,4}$/.test(name)))
    return [bindByName(names, valuesByNumber(names, params))];
  if (params === undefined || isList(params)) throw refusal(`Invalid params: expected an object with values for ${listOf(names)}.`);
  return [bindByName(names, params)];
}

function valuesByNumber(names: readonly string[], params: readonly unknown[]): Record<string, unknown> {
  const count = Math.max(...names.map(Number));
  if (params.length !== count)
    throw refusal(`Invalid params: the statement has ${counted(count, "parameter")}, but params holds ${counted(params.length, "value")}.`);
  return Object.fromEntries(names.map((name) => [name, params[Number(name) - 1]]));
}

/** How many values a list must have for these parameters. */
export const positionsIn = (variables: readonly string[]): number =>
  variables.reduce((count, variable) => Math.max(count, positionAfter(count, variable)), 0);

const positionAfter = (count: number, variable: string): number => (/^\?\d/.test(variable) ? Number(variable.slice(1)) : count + 1);

/** `Array.isArray` does not narrow readonly arrays. */
const isList = (params: Params): params is readonly unknown[] => Array.isArray(params);

function bindByPosition(variables: readonly string[], params: Params = []): unknown[] {
  /** Numbered parameters (`?3`) by their position, with the spelling that the driver wants. */
  const numbered = new Map<number, string>();
  let count = 0;
  for (const variable of variables) {
    const position = positionAfter(count, variable);
    count = Math.max(count, position);
    if (variable !== "?" && !numbered.has(position)) numbered.set(position, variable.slice(1));
  }
  if (count > MAX_PARAMETERS) throw refusal(`Too many parameters: the statement has ${count}, the limit is ${MAX_PARAMETERS}.`);
  if (!isList(params)) {
    if (count === 0 && Object.keys(params).length === 0) return [];
    throw refusal(`Invalid params: the statement has no named parameters. Pass a list of ${counted(count, "value")}.`);
  }
  if (params.length !== count)
    throw refusal(`Invalid params: the statement has ${counted(count, "parameter")}, but params holds ${counted(params.length, "value")}.`);
  const values = params.map((value, index) => boundValue(value, `params[${index}]`));
  if (numbered.size === 0) return values;
  // SQLite treats positions without a numbered parameter as anonymous ones.
  const anonymous = values.filter((_, index) => !numbered.has(index + 1));
  return [...anonymous, Object.fromEntries([...numbered].map(([position, name]) => [name, values[position - 1]]))];
}

function bindByName(names: readonly string[], params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(params);
  const given = new Map(entries.map(([name, value]) => [name.replace(/^[:@$]/, ""), value]));
  if (given.size < entries.length)
    throw refusal(`Invalid params: a name is given twice, with and without its prefix. Give one value for each of ${listOf(names)}.`);
  const missing = names.filter((name) => !given.has(name));
  if (missing.length > 0) throw refusal(`Invalid params: no value for ${listOf(missing)}. The statement has ${listOf(names)}.`);
  const unknown = [...given.keys()].filter((name) => !names.includes(name));
  if (unknown.length > 0) throw refusal(`Invalid params: unknown name ${listOf(unknown)}. The statement has ${listOf(names)}.`);
  return Object.fromEntries(names.map((name) => [name, boundValue(given.get(name), `params.${name}`)]));
}

const listOf = (names: readonly string[]): string =>
  names
    .slice(0, 20)
    .map((name) => clip(name, 80))
    .join(", ");

function boundValue(value: unknown, where: string): BoundValue {
  if (value === null) return value;
  if (typeof value === "string") return boundText(value, where);
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value === "number") return boundNumber(value, where);
  if (typeof value === "object" && "base64" in value && typeof value.base64 === "string") return boundBytes(value.base64, value, where);
  if (typeof value === "object" && "integer" in value && typeof value.integer === "string") return boundInteger(value.integer, where);
  throw refusal(
    `Invalid ${where}: expected text, a number, true, false, null, {"base64": …} for a BLOB or {"integer": "…"} for a large integer.`,
  );
}

function boundText(value: string, where: string): string {
  if (value.isWellFormed()) return value;
  throw refusal(`Invalid ${where}: the text contains a lone surrogate, which SQLite cannot store.`);
}

/** JSON has one kind of number: whole ones are integers to SQLite, others are not. */
function boundNumber(value: number, where: string): BoundValue {
  if (!Number.isInteger(value)) return value;
  if (Number.isSafeInteger(value)) return BigInt(value);
  // The largest 64-bit integers are rounded to 2^63 itself.
  if (Math.abs(value) > 2 ** 63) return value;
  throw refusal(`Invalid ${where}: JSON numbers past 2^53 are rounded. Pass the integer as {"integer": "…"}.`);
}

function boundBytes(base64: string, given: object, where: string): Uint8Array {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.toString("base64").replace(/=+$/, "") !== base64.replace(/=+$/, ""))
    throw refusal(`Invalid ${where}: the base64 text is malformed.`);
  if ("bytes" in given && given.bytes !== bytes.length)
    throw refusal(
      `Invalid ${where}: "bytes" is ${String(given.bytes)}, but base64 holds ${bytes.length}. A truncated BLOB cannot be written back.`,
    );
  return bytes;
}

function boundInteger(text: string, where: string): bigint {
  const value = /^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined;
  if (value === undefined || BigInt.asIntN(64, value) !== value)
    throw refusal(`Invalid ${where}: expected a 64-bit integer in decimal digits.`);
  return value;
}
