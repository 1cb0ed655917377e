// Keyset paging: a page begins after the key of the last row of the page before, so that earlier rows are not read again, and rows that
// are added or removed meanwhile move no others. The key is what the statement sorts by, and the row id or primary key.
import type Database from "better-sqlite3";
import { planRowsOf } from "../analysis/plan-rows.ts";
import type { Engine } from "../engine/engine.ts";
import { isSqlError } from "../engine/sqlite-errors.ts";
import type { AllowedStatement } from "../policy/statement-policy.ts";
import { columnsOf, indexColumnsOf, indexesOf, quoteName, rowidName, type ColumnInfo } from "../schema/schema-pragmas.ts";
import { tableNamed, type TableEntry } from "../schema/table-list.ts";
import type { KeyValue } from "../protocol/rows.ts";
import { boundKeyValue } from "./key-values.ts";
import { simpleSelectOf, type OrderTerm, type SimpleSelect } from "./simple-select.ts";

/** One part of the key. */
interface KeyTerm {
  readonly expression: string;
  readonly isDescending: boolean;
  /** As written in the statement; undefined where SQLite's default holds: NULLs are the lowest values. */
  readonly nulls: "FIRST" | "LAST" | undefined;
  readonly mayBeNull: boolean;
}

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

  /** The rows after a key, in order: first those that differ from it in the last part only, at the end those that differ in the first. */
  runsAfter(key: readonly KeyValue[], values: readonly unknown[]): KeyedRun[] {
    const named = Object.fromEntries(key.map((value, index) => [parameter(index), boundKeyValue(value)]));
    const last = values.at(-1);
    const isNamed = typeof last === "object" && last !== null && !ArrayBuffer.isView(last);
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
        const ofKey = Object.keys(used).length === 0 ? [] : [isNamed ? { ...last, ...used } : used];
        const all = isNamed && ofKey.length > 0 ? [...values.slice(0, -1), ...ofKey] : [...values, ...ofKey];
        return { statement: this.#statement(conditions), values: all };
      });
  }

  #statement(conditions: readonly string[]): AllowedStatement {
    const { columns, source, where } = this.#select;
    const key = this.#terms.map(({ expression }) => expression).join(", ");
    const all = [...(where === undefined ? [] : [`(${where}\n)`]), ...conditions];
    const filter = all.length === 0 ? "" : ` WHERE ${all.join(" AND ")}`;
    const order = this.#terms.map(
      ({ expression, isDescending, nulls }) => `${expression}${isDescending ? " DESC" : ""}${nulls === undefined ? "" : ` NULLS ${nulls}`}`,
    );
    return this.#engine.allowed(`SELECT ${columns}\n, ${key} FROM ${source}${filter} ORDER BY ${order.join(", ")}`, "read");
  }
}

const parameter = (index: number): string => `after_key_${index}`;

/** The conditions for what comes after a value, in their order. */
function laterValues({ expression, isDescending, nulls, mayBeNull }: KeyTerm, value: KeyValue, name: string): string[] {
  const nullsFirst = nulls === undefined ? !isDescending : nulls === "FIRST";
  if (value === null) return nullsFirst ? [`${expression} IS NOT NULL`] : [];
  const later = `${expression} ${isDescending ? "<" : ">"} ${name}`;
  return nullsFirst || !mayBeNull ? [later] : [later, `${expression} IS NULL`];
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
  const columns = columnsOf(engine.db, table.name);
  const rowKey = rowKeyOf(engine.db, table, columns, select);
  if (rowKey === undefined) return undefined;
  const order = select.orderBy.map((term) => keyTermOf(term, columns, select, allowed));
  if (!order.every((term) => term !== undefined)) return undefined;
  if (order.length === 0 && !readsInKeyOrder(engine.db, statement.sql, select)) return undefined;
  // Like the last column, so that an index on it has the order of the key.
  const isDescending = order.at(-1)?.isDescending === true;
  return new Keyset(engine, select, [...order, ...rowKey.map((term) => ({ ...term, isDescending: term.isDescending !== isDescending }))]);
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
  return { expression, isDescending, nulls, mayBeNull: info.notnull === 0 };
}

/** What tells the rows of a table apart, in the order in which the table keeps them. */
function rowKeyOf(
  db: Database.Database,
  table: TableEntry,
  columns: readonly ColumnInfo[],
  { qualifier }: SimpleSelect,
): KeyTerm[] | undefined {
  const term = (name: string, isDescending: boolean): KeyTerm => ({
    expression: `${quoteName(qualifier)}.${name}`,
    isDescending,
    nulls: undefined,
    mayBeNull: false,
  });
  if (!table.withoutRowid) {
    const name = rowidName(columns.map((column) => column.name));
    return name === undefined ? undefined : [term(name, false)];
  }
  const index = indexesOf(db, table.name).find(({ origin }) => origin === "pk");
  const key = index === undefined ? [] : indexColumnsOf(db, index.name);
  // The key may compare texts in another way than the column itself.
  return key.length === 0
    ? undefined
    : key.map(({ name, desc, coll }) => term(`${quoteName(name ?? "")} COLLATE ${quoteName(coll)}`, desc === 1));
}

/** Whether SQLite reads the rows in the order of the table anyway; otherwise sorting them would cost more than a page. */
function readsInKeyOrder(db: Database.Database, sql: string, { qualifier }: SimpleSelect): boolean {
  const steps = planRowsOf(db, sql).filter(({ parent, detail }) => parent === 0 && !/SUBQUERY \d+$/.test(detail));
  const [step, ...others] = steps;
  if (step === undefined || others.length > 0) return false;
  const reads = [`SEARCH ${qualifier} USING INTEGER PRIMARY KEY (`, `SEARCH ${qualifier} USING PRIMARY KEY (`];
  return step.detail === `SCAN ${qualifier}` || reads.some((start) => step.detail.startsWith(start));
}
