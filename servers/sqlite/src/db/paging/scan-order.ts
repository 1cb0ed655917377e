// The order in which SQLite reads the rows of a statement. It decides which of two rows that compare equal comes first.
import type Database from "better-sqlite3";
import { planRowsOf } from "../analysis/plan-rows.ts";
import type { Instruction } from "../policy/program.ts";
import { columnsOf, indexColumnsOf, indexesOf, indexOrderOf, quoteName, rowidName, type ColumnInfo } from "../schema/schema-pragmas.ts";
import type { TableEntry } from "../schema/table-list.ts";

/** One part of the key. */
export interface KeyTerm {
  readonly expression: string;
  readonly isDescending: boolean;
  /** As written in the statement; undefined where SQLite's default holds: NULLs are the lowest values. */
  readonly nulls: "FIRST" | "LAST" | undefined;
  readonly mayBeNull: boolean;
  /** The column, in lower case; undefined for the row id. */
  readonly column: string | undefined;
}

/** The one table of a statement. */
export class ScannedTable {
  readonly columns: readonly ColumnInfo[];
  readonly #db: Database.Database;
  readonly #table: TableEntry;
  readonly #qualifier: string;

  constructor(db: Database.Database, table: TableEntry, qualifier: string) {
    this.#db = db;
    this.#table = table;
    this.#qualifier = qualifier;
    this.columns = columnsOf(db, table.name);
  }

  /** What is sorted by after `order`, so that no two rows are equal. Undefined where the plan of the statement does not tell. */
  tieOrder(sql: string, order: readonly KeyTerm[]): KeyTerm[] | undefined {
    const steps = planRowsOf(this.#db, sql).filter(({ parent, detail }) => parent === 0 && !/SUBQUERY \d+$/.test(detail));
    const [read, sort, ...others] = steps.map(({ detail }) => detail);
    const isSortKnown = sort === undefined || /^USE TEMP B-TREE FOR (?:LAST .*)?ORDER BY$/.test(sort);
    const scan = read === undefined || others.length > 0 || !isSortKnown ? undefined : this.#scanTerms(read);
    const isBackward = readsBackward(this.#db, sql, this.#table.name);
    if (scan === undefined || isBackward === undefined) return undefined;
    // Without a sort, the order comes from the same columns.
    const rest = sort === undefined ? scan.filter(({ column }) => !order.some((term) => term.column === column)) : scan;
    return rest.map((term) => ({ ...term, isDescending: term.isDescending !== isBackward }));
  }

  #scanTerms(step: string): KeyTerm[] | undefined {
    const [start] = [`SCAN ${this.#qualifier}`, `SEARCH ${this.#qualifier}`].filter((one) =>
      step.toLowerCase().startsWith(one.toLowerCase()),
    );
    const way = start === undefined ? undefined : step.slice(start.length);
    if (way === "" || way?.startsWith(" USING INTEGER PRIMARY KEY (") === true || way?.startsWith(" USING PRIMARY KEY (") === true)
      return this.#tableOrder();
    const used = / USING (?:COVERING )?INDEX (.+)$/s.exec(way ?? "")?.[1];
    const names = indexesOf(this.#db, this.#table.name).map(({ name }) => name);
    // Names stand in a plan without quotes, blanks included.
    const [index] = names
      .filter((name) => used === name || used?.startsWith(`${name} `) === true)
      .toSorted((one, other) => other.length - one.length);
    return index === undefined ? undefined : this.#indexOrder(index);
  }

  #tableOrder(): KeyTerm[] | undefined {
    if (!this.#table.withoutRowid) return this.#rowid();
    const index = indexesOf(this.#db, this.#table.name).find(({ origin }) => origin === "pk");
    // The key may compare texts in another way than the column itself.
    return index === undefined
      ? undefined
      : indexColumnsOf(this.#db, index.name).map(({ name, desc, coll }) => this.#term(name ?? "", desc === 1, coll));
  }

  #indexOrder(index: string): KeyTerm[] | undefined {
    const terms = indexOrderOf(this.#db, index).map(({ name, isRowid, desc, coll }) => {
      if (name !== null) return [this.#term(name, desc === 1, coll)];
      return isRowid ? this.#rowid() : undefined; // an expression otherwise
    });
    return terms.every((term) => term !== undefined) ? terms.flat() : undefined;
  }

  #rowid(): KeyTerm[] | undefined {
    const name = rowidName(this.columns.map((column) => column.name));
    if (name === undefined) return undefined;
    return [
      { expression: `${quoteName(this.#qualifier)}.${name}`, isDescending: false, nulls: undefined, mayBeNull: false, column: undefined },
    ];
  }

  #term(name: string, isDescending: boolean, collation: string): KeyTerm {
    const column = name.toLowerCase();
    const expression = `${quoteName(this.#qualifier)}.${quoteName(name)} COLLATE ${quoteName(collation)}`;
    const mayBeNull = this.columns.find((one) => one.name.toLowerCase() === column)?.notnull === 0;
    return { expression, isDescending, nulls: undefined, mayBeNull, column };
  }
}

/** Undefined where the table is read forwards in one part of the statement and backwards in another. */
function readsBackward(db: Database.Database, sql: string, table: string): boolean | undefined {
  const program = (db as unknown as { explain(sql: string): Instruction[] }).explain(sql); // the package's types do not declare this method
  const roots = db.prepare<[string], number>("SELECT rootpage FROM main.sqlite_schema WHERE tbl_name = ?").pluck().all(table);
  const cursors = program.flatMap(({ opcode, p1, p2 }) => (opcode === "OpenRead" && roots.includes(p2) ? [p1] : []));
  const has = (wanted: string): boolean => program.some(({ opcode, p1 }) => opcode === wanted && cursors.includes(p1));
  return has("Prev") ? (has("Next") ? undefined : true) : false;
}
