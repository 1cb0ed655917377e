// A finding of the data check: how many rows, two examples, and the query that returns all of them.
import type Database from "better-sqlite3";
import { clip } from "@oarlock/domain-kit";
import { beginSearch } from "../search/search-conditions.ts";
import { searchedText } from "../search/text-folding.ts";
import { columnsOf, primaryKeyOf, quoteName } from "../schema/schema-pragmas.ts";

export type FindingKind = "link" | "type" | "form" | "sum" | "spelling" | "duplicate";

export interface Finding {
  readonly kind: FindingKind;
  readonly table: string;
  readonly column: string;
  readonly problem: string;
  readonly count: number;
  readonly examples: readonly (string | number | null)[];
  /** The rows of the examples: values of the primary key, by its name. Only for a key of one column. */
  readonly rows?: Readonly<Record<string, readonly (string | number | null)[]>>;
  readonly query: string;
  /** Only so many rows were checked, the first ones. */
  readonly rowsChecked?: number;
}

/** Rows of a table that are checked; larger tables are checked in part. */
export const MAX_ROWS = 50_000;
const EXAMPLES = 2;

/** A table while it is checked. */
export class CheckedTable {
  readonly name: string;
  /** The table, or its first rows, for a FROM clause. */
  readonly source: string;
  /** The primary key of one column. */
  readonly key: string | undefined;
  readonly #db: Database.Database;
  readonly #isPart: boolean;

  /** @param until The deadline: SearchStopped is thrown then. */
  constructor(db: Database.Database, name: string, until: number) {
    this.#db = db;
    this.name = name;
    const [key, ...others] = primaryKeyOf(columnsOf(db, name));
    this.key = others.length > 0 ? undefined : key;
    beginSearch(db, until);
    const table = `main.${quoteName(name)}`;
    this.#isPart = db.prepare(`SELECT 1 FROM ${table} LIMIT 1 OFFSET ${MAX_ROWS}`).get() !== undefined;
    this.source = this.#isPart ? `(SELECT * FROM ${table} LIMIT ${MAX_ROWS}) AS ${quoteName(name)}` : table;
  }

  /** Aggregates of the checked rows, by name. */
  numbers<Name extends string>(columns: Readonly<Record<Name, string>>): Record<Name, number> {
    const selected = Object.entries(columns).map(([name, expression]) => `${String(expression)} AS ${name}`);
    const sql = `SELECT ${selected.join(", ")} FROM ${this.source} WHERE search_goes_on()`;
    return this.#db.prepare<[], Record<Name, number>>(sql).get() as Record<Name, number>; // an aggregate has one row
  }

  /** How many of the checked rows have each value of an expression. */
  counts<Value extends string | number | null>(expression: string): ReadonlyMap<Value, number> {
    const sql = `SELECT ${expression} AS value, count(*) AS n FROM ${this.source} WHERE search_goes_on() GROUP BY 1`;
    return new Map(
      this.#db
        .prepare<[], { value: Value; n: number }>(sql)
        .all()
        .map(({ value, n }) => [value, n]),
    );
  }

  /**
   * @param where The rows of the finding, as a condition on the checked rows or on the whole table.
   * @param problem The sentence, of the count.
   */
  finding(kind: FindingKind, column: string, where: string | ((from: string) => string), problem: (count: number) => string): Finding {
    const conditionFor = typeof where === "string" ? () => where : where;
    const condition = conditionFor(this.source);
    const { count } = this.numbers({ count: `count(CASE WHEN ${condition} THEN 1 END)` });
    const key = this.key ?? column;
    const examples = this.#db
      .prepare<[], { value: unknown; key: unknown }>(
        `SELECT ${quoteName(column)} AS value, ${quoteName(key)} AS key FROM ${this.source} WHERE search_goes_on() AND ${condition} LIMIT ${EXAMPLES}`,
      )
      .all();
    return {
      kind,
      table: this.name,
      column,
      problem: problem(count),
      count,
      examples: examples.map(({ value }) => clippedValue(value)),
      ...(key !== column && { rows: { [key]: examples.map((example) => clippedValue(example.key)) } }),
      query: `SELECT * FROM ${quoteName(this.name)} WHERE ${conditionFor(quoteName(this.name))}`,
      ...(this.#isPart && { rowsChecked: MAX_ROWS }),
    };
  }
}

const clippedValue = (value: unknown): string | number | null =>
  typeof value === "number" || value === null ? value : clip(searchedText(value), 80);
