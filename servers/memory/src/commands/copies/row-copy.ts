// All rows of a memory in the form that both stores share: a memory is copied from one store to another with its history, and both are
// compared afterwards.
import { createHash } from "node:crypto";

export type Value = string | number | null;
export type Row = readonly Value[];

/** The columns of each table that is copied. The first is the key, in whose order rows are read. */
export const COLUMNS = {
  call: { seq: "bigint", at: "bigint", client: "text" },
  type: { id: "bigint", name: "text" },
  entity: { id: "bigint", name: "text", key: "text", type: "bigint", created: "bigint", ended: "bigint", extra: "text" },
  observation: {
    ...{ id: "bigint", entity: "bigint", text: "text", created: "bigint", ended: "bigint" },
    ...{ successor: "bigint", confirmed: "bigint", times: "text" },
  },
  relation: { id: "bigint", source: "text", target: "text", type: "text", created: "bigint", ended: "bigint", extra: "text" },
  turn: { id: "bigint", seq: "bigint", entity: "bigint", kind: "text", past: "text", present: "text" },
  record: { id: "bigint", line: "text", created: "bigint", ended: "bigint" },
} as const satisfies Record<string, Readonly<Record<string, "bigint" | "text">>>;

export type Table = keyof typeof COLUMNS;
export const TABLE_NAMES = Object.keys(COLUMNS) as Table[]; // its keys
/** A text may have a million characters. */
const PAGE_ROWS = 200;

/** What a memory knows besides its rows. */
export interface Marks {
  /** The highest number that a row of the table has had. */
  readonly highest: Readonly<Record<"call" | "entity" | "observation" | "relation", number>>;
  /** The last call whose ended rows may have been removed; 0 where history is whole. */
  readonly historyStart: number;
  /** The last call that purged something; 0 where there is none. */
  readonly purged: number;
  /** The key that seals cursors, in base64. */
  readonly cursorKey: string;
  /** See Owner of graph/owner.ts, as JSON. */
  readonly owner: string | null;
}

/** One state of a memory. */
export interface RowSource {
  /** Runs a query without parameters. */
  select(sql: string): Promise<Row[]> | Row[];
  marks(): Promise<Marks> | Marks;
}

/** A new memory. */
export interface RowTarget {
  insert(table: Table, rows: readonly Row[]): Promise<void> | void;
}

export interface Copied {
  /** Rows of each table. */
  readonly counts: Readonly<Record<Table, number>>;
  /** Equal for memories with the same rows and marks. */
  readonly digest: string;
}

export async function* pagesOf(source: RowSource, table: Table): AsyncGenerator<Row[]> {
  const columns = Object.keys(COLUMNS[table]);
  for (let last = -1; ;) {
    const sql = `SELECT ${columns.join(", ")} FROM ${table} WHERE ${columns[0]} > ${last} ORDER BY ${columns[0]} LIMIT ${PAGE_ROWS}`;
    const rows = await source.select(sql);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE_ROWS) return;
    last = Number(rows.at(-1)?.[0]);
  }
}

/** Reads all rows, and inserts them where there is a target. */
export async function copyRows(source: RowSource, target?: RowTarget): Promise<Copied> {
  const hash = createHash("sha256").update(JSON.stringify(await source.marks()));
  const counts = Object.fromEntries(TABLE_NAMES.map((table) => [table, 0])) as Record<Table, number>; // all of them
  for (const table of TABLE_NAMES) {
    for await (const rows of pagesOf(source, table)) {
      for (const row of rows) hash.update(`\n${table}${JSON.stringify(row)}`);
      counts[table] += rows.length;
      await target?.insert(table, rows);
    }
  }
  return { counts, digest: hash.digest("hex") };
}
