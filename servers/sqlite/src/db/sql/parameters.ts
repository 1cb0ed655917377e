// Parameters of a statement and the values given for them: the count is exact, and a value crosses unchanged or is refused.
import { counted } from "../counted.ts";
import { refused, shown } from "../errors.ts";
import type { Statement } from "./statement.ts";

export type Params = readonly unknown[] | Readonly<Record<string, unknown>>;
export type Bound = string | number | bigint | null | Uint8Array;

const MOST = 32_766;

/** The arguments for better-sqlite3: those for `?` in order, and one object for all others. */
export function boundTo(statement: Statement, params: Params | undefined): unknown[] {
  const { variables } = statement;
  const names = [...new Set(variables.filter((name) => !name.startsWith("?")).map((name) => name.slice(1)))];
  if (names.length > 0 && variables.some((name) => name.startsWith("?")))
    throw refused("The statement mixes ? with named parameters; use one kind");
  if (names.length === 0) return byPlace(variables, params);
  if (params === undefined || Array.isArray(params))
    throw refused(`The statement has the parameters ${listed(names)}; expected params as an object with these names`);
  return [byName(names, params as Readonly<Record<string, unknown>>)]; // not a list: looked at one line above
}

function byPlace(variables: readonly string[], params: Params = []): unknown[] {
  /** What SQLite calls each of them: as the statement first has it. */
  const numbered = new Map<number, string>();
  let most = 0;
  for (const name of variables) {
    const place = name === "?" ? most + 1 : Number(name.slice(1));
    most = Math.max(most, place);
    if (name !== "?" && !numbered.has(place)) numbered.set(place, name.slice(1));
  }
  if (most > MOST) throw refused(`The statement has ${most} parameters; at most ${MOST} are taken`);
  const values = Array.isArray(params) ? (params as readonly unknown[]) : undefined; // Array.isArray has looked
  if (values === undefined && most === 0 && Object.keys(params).length === 0) return [];
  if (values === undefined) throw refused(`The statement has no named parameters; expected params as a list of ${most}`);
  if (values.length !== most)
    throw refused(`The statement has ${counted(most, "parameter")}, but params holds ${values.length}; expected exactly as many`);
  const bound = values.map((value, index) => valueOf(value, `params[${index}]`));
  // Places that no variable names are without a name too.
  const anonymous = bound.filter((_, index) => !numbered.has(index + 1));
  return numbered.size === 0
    ? anonymous
    : [...anonymous, Object.fromEntries([...numbered].map(([place, name]) => [name, bound[place - 1]]))];
}

function byName(names: readonly string[], params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(params);
  const given = new Map(entries.map(([name, value]) => [name.replace(/^[:@$]/, ""), value]));
  if (given.size < entries.length)
    throw refused(`params holds a name twice, with and without its sign; expected one value for each of ${listed(names)}`);
  const missing = names.filter((name) => !given.has(name));
  if (missing.length > 0) throw refused(`params has no value for ${listed(missing)}; expected one for each of ${listed(names)}`);
  const unknown = [...given.keys()].filter((name) => !names.includes(name));
  if (unknown.length > 0) throw refused(`params holds ${listed(unknown)}, but the statement has only ${listed(names)}`);
  return Object.fromEntries(names.map((name) => [name, valueOf(given.get(name), `params.${name}`)]));
}

const listed = (names: readonly string[]): string => names.slice(0, 20).map(shown).join(", ");

function valueOf(value: unknown, where: string): Bound {
  if (value === null) return value;
  if (typeof value === "string") return textOf(value, where);
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value === "number") return numberOf(value, where);
  if (typeof value === "object" && "base64" in value && typeof value.base64 === "string") return bytesOf(value.base64, value, where);
  if (typeof value === "object" && "integer" in value && typeof value.integer === "string") return integerOf(value.integer, where);
  throw refused(`${where}: expected text, a number, true, false, null, {"base64": …} for bytes or {"integer": "…"} for a large integer`);
}

/** Half of a pair has no form in UTF-8, the text of databases. */
function textOf(value: string, where: string): string {
  if (value.isWellFormed()) return value;
  throw refused(`${where}: the text holds half of a character (a lone surrogate), which SQLite cannot keep`);
}

/** Whole numbers are integers to SQLite, others are not: JSON has one kind for both. */
function numberOf(value: number, where: string): Bound {
  if (!Number.isInteger(value)) return value;
  if (Number.isSafeInteger(value)) return BigInt(value);
  // 2^63 itself is what the largest integers come to when they are rounded.
  if (Math.abs(value) > 2 ** 63) return value;
  throw refused(`${where}: integers past 2^53 do not come through JSON unchanged; give it as {"integer": "…"}`);
}

function bytesOf(base64: string, given: object, where: string): Uint8Array {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.toString("base64").replace(/=+$/, "") !== base64.replace(/=+$/, ""))
    throw refused(`${where}: the base64 text is not well formed`);
  if ("bytes" in given && given.bytes !== bytes.length)
    throw refused(`${where}: says it has ${String(given.bytes)} bytes, but base64 holds ${bytes.length}; a cut value is not written back`);
  return bytes;
}

function integerOf(text: string, where: string): bigint {
  const value = /^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined;
  if (value === undefined || BigInt.asIntN(64, value) !== value)
    throw refused(`${where}: expected an integer of 64 bits in decimal digits`);
  return value;
}
