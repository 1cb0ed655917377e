// Keyset paging: a page begins after the key of the last row of the page before, so that earlier rows are not read again, and rows that
// are added or removed meanwhile move no others. The key is what the statement sorts by, and the order in which SQLite reads equal rows.
import type { Engine } from "../engine/engine.ts";
import { isSqlError } from "../engine/sqlite-errors.ts";
import type { AllowedStatement } from "../policy/statement-policy.ts";
import { quoteName, type ColumnInfo } from "../schema/schema-pragmas.ts";
import { tableNamed } from "../schema/table-list.ts";
import type { KeyValue } from "../protocol/rows.ts";
import type { SqlValue } from "../csv/dialect.ts";
import { isWord } from "../sql/tokens.ts";
import { boundKeyValue, keyOf } from "./key-values.ts";
import { ScannedTable, type KeyTerm } from "./scan-order.ts";
import { simpleSelectOf, type OrderTerm, type SimpleSelect } from "./simple-select.ts";

/** A statement with its values. */
export interface KeyedRun {
  readonly statement: AllowedStatement;
  readonly values: readonly unknown[];
}

export class Keyset {
  readonly #engine: Engine;
  readonly #select: SimpleSelect;
  readonly #terms: readonly KeyTerm[];

  constructor(engine: Engine, select: SimpleSelect, terms: readonly KeyTerm[]) {
    this.#engine = engine;
    this.#select = select;
    this.#terms = terms;
  }

  get keyLength(): number {
    return this.#terms.length;
  }

  /** The statement in the order of the key, with the key at the end of each row. */
  run(values: readonly unknown[]): KeyedRun {
    return { statement: this.#statement([]), values };
  }

  /** The key of the row at this place of the result; undefined where it has none, or one that is too long. */
  keyAt(place: number, values: readonly unknown[]): KeyValue[] | undefined {
    const statement = this.#statement([], ` LIMIT 1 OFFSET @${OFFSET}`);
    const row = statement.prepared.safeIntegers(true).get(...withNamed(values, { [OFFSET]: BigInt(place) }));
    return Array.isArray(row) ? keyOf(row.slice(-this.keyLength) as SqlValue[], true) : undefined; // raw
  }

  /** The rows after a key, in order: first those that differ from it in the last part only, at the end those that differ in the first. */
  runsAfter(key: readonly KeyValue[], values: readonly unknown[]): KeyedRun[] {
    const named = Object.fromEntries(key.map((value, index) => [parameter(index), boundKeyValue(value)]));
    return this.#terms
      .map((term, index) => ({
        term,
        index,
        equal: this.#terms.slice(0, index).map((one, at) => `${one.expression} IS @${parameter(at)}`),
      }))
      .toReversed()
      .flatMap(({ term, index, equal }) =>
        laterValues(term, key[index] ?? null, `@${parameter(index)}`).map((later) => ({ conditions: [...equal, later] })),
      )
      .map(({ conditions }) => {
        const used = Object.fromEntries(Object.entries(named).filter(([name]) => conditions.some((one) => one.endsWith(`@${name}`))));
        return { statement: this.#statement(conditions), values: withNamed(values, used) };
      });
  }

  #statement(conditions: readonly string[], limit = ""): AllowedStatement {
    const { columns, source, where } = this.#select;
    const key = this.#terms.map(({ expression }) => expression).join(", ");
    const all = [...(where === undefined ? [] : [`(${where}\n)`]), ...conditions];
    const filter = all.length === 0 ? "" : ` WHERE ${all.join(" AND ")}`;
    const order = this.#terms.map(
      ({ expression, isDescending, nulls }) => `${expression}${isDescending ? " DESC" : ""}${nulls === undefined ? "" : ` NULLS ${nulls}`}`,
    );
    return this.#engine.allowed(`SELECT ${columns}\n, ${key} FROM ${source}${filter} ORDER BY ${order.join(", ")}${limit}`, "read");
  }
}

const parameter = (index: number): string => `after_key_${index}`;
const OFFSET = "after_key_offset";

/** The values of a statement with those of further named parameters. */
function withNamed(values: readonly unknown[], named: Readonly<Record<string, unknown>>): readonly unknown[] {
  if (Object.keys(named).length === 0) return values;
  const last = values.at(-1);
  const isNamed = typeof last === "object" && last !== null && !ArrayBuffer.isView(last);
  return isNamed ? [...values.slice(0, -1), { ...last, ...named }] : [...values, named];
}

/** The conditions for what comes after a value, in their order. */
function laterValues({ expression, isDescending, nulls, mayBeNull }: KeyTerm, value: KeyValue, name: string): string[] {
  const nullsFirst = nulls === undefined ? !isDescending : nulls === "FIRST";
  if (value === null) return nullsFirst ? [`${expression} IS NOT NULL`] : [];
  const later = `${expression} ${isDescending ? "<" : ">"} ${name}`;
  return nullsFirst || !mayBeNull ? [later] : [later, `${expression} IS NULL`];
}

const plannedByValues = new WeakMap<AllowedStatement, boolean>();

/**
 * Whether SQLite makes the plan of the statement anew for its values: for a pattern of LIKE or GLOB, and by the samples of ANALYZE. Then its
 * plan without them does not tell the order of its rows, so each page has to be in the order of the key.
 */
export function isPlannedByValues({ db }: Engine, allowed: AllowedStatement): boolean {
  const { variables, tokens } = allowed.statement;
  if (variables.length === 0) return false;
  const known = plannedByValues.get(allowed);
  if (known !== undefined) return known;
  const hasPattern = tokens.some((token) => isWord(token, "LIKE") || isWord(token, "GLOB"));
  const found = hasPattern || db.prepare("SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_stat4'").get() !== undefined;
  plannedByValues.set(allowed, found);
  return found;
}

const keysets = new WeakMap<AllowedStatement, Keyset | null>();

/** Undefined where the statement does not allow it. */
export function keysetOf(engine: Engine, allowed: AllowedStatement): Keyset | undefined {
  const known = keysets.get(allowed);
  if (known !== undefined) return known ?? undefined;
  const keyset = findKeyset(engine, allowed);
  const isUsable = keyset !== undefined && canCompile(keyset);
  keysets.set(allowed, isUsable ? keyset : null);
  return isUsable ? keyset : undefined;
}

/** A statement with as many columns as SQLite allows has no room for a key. */
function canCompile(keyset: Keyset): boolean {
  try {
    keyset.run([]);
    return true;
  } catch (error) {
    if (!isSqlError(error)) throw error;
    return false;
  }
}

function findKeyset(engine: Engine, allowed: AllowedStatement): Keyset | undefined {
  const { statement, combinesRows } = allowed;
  if (combinesRows || statement.variables.some((name) => /^\?\d|after_key_/.test(name))) return undefined;
  const select = simpleSelectOf(statement);
  const table = select === undefined ? undefined : tableNamed(engine.db, select.table);
  if (select === undefined || table?.type !== "table" || /^sqlite_/i.test(table.name)) return undefined;
  const scanned = new ScannedTable(engine.db, table, select.qualifier);
  const order = select.orderBy.map((term) => keyTermOf(term, scanned.columns, select, allowed));
  if (!order.every((term) => term !== undefined)) return undefined;
  const ties = scanned.tieOrder(statement.sql, order);
  return ties === undefined ? undefined : new Keyset(engine, select, [...order, ...ties]);
}

/** A column of the table that no other column of the result hides by its name. */
function keyTermOf(
  { column, isQualified, collation, isDescending, nulls }: OrderTerm,
  columns: readonly ColumnInfo[],
  { qualifier }: SimpleSelect,
  { prepared }: AllowedStatement,
): KeyTerm | undefined {
  const isNamed = (name: string | null): boolean => name?.toLowerCase() === column.toLowerCase();
  const info = columns.find(({ name }) => isNamed(name));
  const isHidden = !isQualified && prepared.columns().some((result) => isNamed(result.name) && !isNamed(result.column));
  if (info === undefined || isHidden) return undefined;
  const expression = `${quoteName(qualifier)}.${quoteName(info.name)}${collation === undefined ? "" : ` COLLATE ${quoteName(collation)}`}`;
  return { expression, isDescending, nulls, mayBeNull: info.notnull === 0, column: info.name.toLowerCase() };
}
