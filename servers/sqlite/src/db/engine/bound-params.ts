// The values that are bound to the parameters of a statement: a text with a number in it is that number where the statement compares it with
// a number, because the list of tools names params as texts, and SQLite would find each text greater than each number.
import type Database from "better-sqlite3";
import { convertedByAffinity } from "../csv/value-kinds.ts";
import { affinityOf, isNumeric } from "../sql/affinity.ts";
import { columnsOf } from "../schema/schema-pragmas.ts";
import { allTables } from "../schema/table-list.ts";
import { numericParameters } from "../sql/numeric-operands.ts";
import { bindValues, type Params } from "../sql/parameters.ts";
import type { Statement } from "../sql/statement.ts";

/** Tables of a statement whose columns are looked at. */
const MAX_TABLES = 50;

export const boundParams = (db: Database.Database, statement: Statement, params: Params | undefined): unknown[] =>
  bindValues(statement, params === undefined ? params : withNumbers(db, statement, params));

function withNumbers(db: Database.Database, { tokens, variables }: Statement, params: Params): Params {
  if (!Object.values(params).some(isNumberAsText)) return params;
  const numeric = numericParameters(tokens, numericColumnsIn(db, tokens));
  if (numeric.size === 0) return params;
  if (!Array.isArray(params))
    return Object.fromEntries(
      Object.entries(params).map(([name, value]) => {
        const bare = name.replace(/^[:@$]/, "");
        return [name, [":", "@", "$"].some((prefix) => numeric.has(prefix + bare)) ? numberFor(value) : value];
      }),
    );
  const values: unknown[] = [...(params as readonly unknown[])];
  let position = 0;
  for (const [index, variable] of variables.entries()) {
    const number = /^[?$]([1-9]\d{0,4})$/.exec(variable)?.[1];
    position = number === undefined ? position + 1 : Math.max(position, Number(number));
    const at = (number === undefined ? position : Number(number)) - 1;
    if (at < values.length && numeric.has(variable === "?" ? index : variable)) values[at] = numberFor(values[at]);
  }
  return values;
}

const isNumberAsText = (value: unknown): value is string => typeof value === "string" && convertedByAffinity(value);

function numberFor(value: unknown): unknown {
  if (!isNumberAsText(value)) return value;
  const number = Number(value);
  if (Number.isSafeInteger(number) || !Number.isInteger(number)) return number;
  return /^\s*-?\d{1,19}\s*$/.test(value) ? { integer: value.trim() } : number;
}

/** By the types of the columns in the tables that the statement names. */
function numericColumnsIn(db: Database.Database, tokens: Statement["tokens"]): (name: string) => boolean {
  let types: Map<string, boolean> | undefined;
  const typesNow = (): Map<string, boolean> => {
    const words = new Set(tokens.map(({ value }) => value.toLowerCase()));
    const tables = allTables(db).filter(({ name, type }) => type === "table" && words.has(name.toLowerCase()));
    const found = new Map<string, boolean>();
    for (const { name, type } of tables.slice(0, MAX_TABLES).flatMap((table) => columnsOf(db, table.name)))
      found.set(name.toLowerCase(), isNumericType(type) && found.get(name.toLowerCase()) !== false);
    return found;
  };
  return (name) => (types ??= typesNow()).get(name.toLowerCase()) === true;
}

/** ANY converts nothing in a STRICT table. */
const isNumericType = (type: string): boolean => isNumeric(affinityOf(type)) && !/^any$/i.test(type);
