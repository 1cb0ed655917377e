// Rows that compare equal come in SQLite's own order, on each page, with LIMIT and without.
import { expect, test } from "vitest";
import { runQuery } from "../../../src/db/engine/query.ts";
import type { KeyValue } from "../../../src/db/protocol/rows.ts";
import { CollectedRows } from "../../../src/db/rows/collected-rows.ts";
import { openDatabase } from "../../support/databases.ts";
import { openEngine, type OpenedEngine } from "../../support/engine.ts";

const COLUMNS = "id INTEGER PRIMARY KEY, v, w, x TEXT COLLATE NOCASE";
const FILL = (table: string): string =>
  `INSERT INTO ${table} WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 40)
    SELECT i, nullif(i * 7 % 5, 3), i * 3 % 4, char(65 + i % 3 + 32 * (i % 2)) FROM c;`;
const SCHEMA = [
  `CREATE TABLE bare (${COLUMNS}); ${FILL("bare")}`,
  `CREATE TABLE one (${COLUMNS}); CREATE INDEX one_v ON one (v); CREATE INDEX one_x ON one (x COLLATE BINARY); ${FILL("one")}`,
  `CREATE TABLE two (${COLUMNS}); CREATE INDEX two_vw ON two (v, w DESC); CREATE INDEX two_wv ON two (w, v); ${FILL("two")}`,
  `CREATE TABLE keyed (id INTEGER, v, w, x TEXT, PRIMARY KEY (w, id DESC)) WITHOUT ROWID; CREATE INDEX keyed_v ON keyed (v); ${FILL("keyed")}`,
].join("\n");

interface Read {
  readonly rows: readonly unknown[][];
  readonly hasMore: boolean;
  readonly lastKey: readonly KeyValue[] | undefined;
}

interface From {
  readonly skip?: number;
  readonly after?: readonly KeyValue[] | undefined;
  readonly params?: unknown[];
}

function read({ engine }: OpenedEngine, sql: string, maxRows: number, { skip = 0, after, params }: From = {}): Read {
  const output = new CollectedRows();
  const limits = { maxRows, maxBytes: 1_000_000, maxTextLength: 1000, maxBlobBytes: 100 };
  const reply = runQuery(engine, { op: "read", sql, params, limits, skip, after }, output);
  return { rows: output.values(), hasMore: reply.hasMore, lastKey: reply.lastKey };
}

const orders = [
  "v",
  "v DESC",
  "v, w DESC",
  "v DESC, w",
  "w DESC, v DESC",
  "v NULLS LAST",
  "x DESC",
  "x",
  "x COLLATE BINARY DESC",
  "w, x DESC",
];
const conditions = ["", "WHERE v > 0", "WHERE w IN (1, 3)", "WHERE w = 2", "WHERE v = 1 AND w >= 0", "WHERE x = 'a' OR w = 1"];
const statements = ["bare", "one", "two", "keyed"].flatMap((table) =>
  conditions.map((where) => [table, where, ["", ...orders.map((order) => `ORDER BY ${order}`)]] as const),
);

test.each(statements)("of %s %s in each order", async (table, where, endings) => {
  await using opened = await openEngine(SCHEMA, { write: false });
  using peer = openDatabase(opened.file);
  for (const ending of endings) {
    const sql = `SELECT * FROM ${table} ${where} ${ending}`;
    const expected = peer.prepare(sql).raw(true).all();
    expect(read(opened, sql, 1000).rows, sql).toEqual(expected);
    const pages: unknown[][] = [];
    // The second round begins with a statement that is known to fill a page.
    for (const _ of ["first", "again"]) {
      pages.length = 0;
      for (let page = read(opened, sql, 3); ; page = read(opened, sql, 3, { skip: pages.length, after: page.lastKey })) {
        pages.push(...page.rows);
        if (!page.hasMore) break;
      }
      expect(pages, sql).toEqual(expected);
    }
    expect(read(opened, `${sql} LIMIT 1000`, 1000).rows, sql).toEqual(expected);
  }
});

test.each([
  ["a pattern", "SELECT id, other FROM words WHERE w LIKE ?", ["a%"]],
  ["samples of ANALYZE", "SELECT id, w FROM sampled WHERE v > ?", [-1]],
])("returns each row once where the plan depends on %s", async (_, sql, params) => {
  await using opened = await openEngine(
    `CREATE TABLE words (id INTEGER PRIMARY KEY, w TEXT COLLATE NOCASE, other); CREATE INDEX words_w ON words (w);
      WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 2000) INSERT INTO words SELECT i, iif(i % 20, 'b', 'a') || (i * 7 % 2003), i FROM c;
      CREATE TABLE sampled (id INTEGER PRIMARY KEY, v, w); CREATE INDEX sampled_v ON sampled (v);
      WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 2000) INSERT INTO sampled SELECT i, i * 7 % 2003, zeroblob(100) FROM c;
      ANALYZE`,
    { write: false },
  );
  using peer = openDatabase(opened.file);
  const ids: unknown[] = [];
  for (let page = read(opened, sql, 17, { params }); ; page = read(opened, sql, 17, { skip: ids.length, after: page.lastKey, params })) {
    ids.push(...page.rows.map(([id]) => id));
    if (!page.hasMore) break;
  }
  const expected = peer
    .prepare(sql)
    .pluck()
    .all(...params) as number[];
  expect(ids.toSorted((one, other) => Number(one) - Number(other))).toEqual(expected.toSorted((one, other) => one - other));
});
