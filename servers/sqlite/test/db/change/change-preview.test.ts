// Dry runs show the rows that a statement, its triggers and foreign keys change, before and after, and leave nothing behind.
import { describe, expect, test } from "vitest";
import { rowsOf } from "../../support/databases.ts";
import { change, openEngine, transact } from "../../support/engine.ts";

const SCHEMA = `
  CREATE TABLE t (id INTEGER PRIMARY KEY, code UNIQUE, n); INSERT INTO t VALUES (1, 'a', 10), (2, 'b', 20), (3, 'c', 30);
  CREATE TABLE w (a, b, n, PRIMARY KEY (a, b)) WITHOUT ROWID; INSERT INTO w VALUES (1, 1, 'x'), (1, 2, 'y');
  CREATE TABLE parents (id INTEGER PRIMARY KEY); INSERT INTO parents VALUES (1), (2);
  CREATE TABLE children (id INTEGER PRIMARY KEY, parent REFERENCES parents ON DELETE CASCADE); INSERT INTO children VALUES (7, 1), (8, 2);
  CREATE TABLE log (line); CREATE TABLE logged (id INTEGER PRIMARY KEY); INSERT INTO logged VALUES (5);
  CREATE TRIGGER on_delete AFTER DELETE ON logged BEGIN INSERT INTO log VALUES ('gone ' || old.id); END;
  CREATE VIEW v AS SELECT * FROM t;
  CREATE TRIGGER on_view INSTEAD OF UPDATE ON v BEGIN UPDATE t SET n = new.n WHERE id = old.id; END;
  CREATE TABLE many (id INTEGER PRIMARY KEY, n); WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 40) INSERT INTO many SELECT i, i FROM c;
  CREATE TABLE u (code UNIQUE, part, live); CREATE INDEX by_part ON u (part); CREATE UNIQUE INDEX by_live ON u (live) WHERE live > 0;
  CREATE UNIQUE INDEX by_lower_code ON u (lower(code)); INSERT INTO u VALUES ('a', 1, 0), ('b', 1, 0), ('c', 2, 5);
  CREATE TABLE "odd ""name" ("a b", "select" TEXT, g AS (1)); INSERT INTO "odd ""name" VALUES (1, 'x');
`;

test.each([
  ["UPDATE t SET n = n + 1 WHERE id = 1", [{ table: "t", before: [[1, "a", 10]], after: [[1, "a", 11]] }]],
  ["UPDATE t SET id = id + 10 WHERE id = 3", [{ table: "t", before: [[3, "c", 30]], after: [[13, "c", 30]] }]],
  ["UPDATE w SET b = b + 5 WHERE b = 2", [{ table: "w", before: [[1, 2, "y"]], after: [[1, 7, "y"]] }]],
  ["DELETE FROM t WHERE id > 2", [{ table: "t", before: [[3, "c", 30]], after: [] }]],
  ["INSERT INTO t VALUES (4, 'd', 40)", [{ table: "t", before: [], after: [[4, "d", 40]] }]],
  ["INSERT INTO t VALUES (1, 'z', 5) ON CONFLICT (id) DO UPDATE SET n = 5", [{ table: "t", before: [[1, "a", 10]], after: [[1, "a", 5]] }]],
  [
    "REPLACE INTO t VALUES (1, 'b', 0)",
    [
      {
        table: "t",
        before: [
          [1, "a", 10],
          [2, "b", 20],
        ],
        after: [[1, "b", 0]],
      },
    ],
  ],
  [
    "UPDATE OR REPLACE t SET code = 'b' WHERE id = 1",
    [
      {
        table: "t",
        before: [
          [1, "a", 10],
          [2, "b", 20],
        ],
        after: [[1, "b", 10]],
      },
    ],
  ],
  ["UPDATE OR REPLACE t SET n = 1 WHERE id = 1", [{ table: "t", before: [[1, "a", 10]], after: [[1, "a", 1]] }]],
  ["REPLACE INTO w VALUES (1, 2, 'z')", [{ table: "w", before: [[1, 2, "y"]], after: [[1, 2, "z"]] }]],
  ["REPLACE INTO u VALUES ('b', 1, 0)", [{ table: "u", before: [["b", 1, 0]], after: [["b", 1, 0]] }]],
  ["REPLACE INTO u VALUES ('d', 1, 5)", [{ table: "u", before: [], after: [["d", 1, 5]] }]],
  [
    "UPDATE OR REPLACE u SET code = 'a' WHERE code = 'b'",
    [
      {
        table: "u",
        before: [
          ["b", 1, 0],
          ["a", 1, 0],
        ],
        after: [["a", 1, 0]],
      },
    ],
  ],
  [
    "UPDATE OR REPLACE w SET b = 1 WHERE b = 2",
    [
      {
        table: "w",
        before: [
          [1, 2, "y"],
          [1, 1, "x"],
        ],
        after: [[1, 1, "y"]],
      },
    ],
  ],
  ["UPDATE T SET n = 9007199254740993 WHERE id = 1", [{ table: "t", before: [[1, "a", 10]], after: [[1, "a", "9007199254740993"]] }]],
  ["DELETE FROM logged WHERE id > 100", [{ table: "logged", before: [], after: [] }]],
  ["UPDATE v SET n = 0 WHERE id = 2", [{ table: "t", before: [[2, "b", 20]], after: [[2, "b", 0]] }]],
  [
    "DELETE FROM parents WHERE id = 1",
    [
      { table: "parents", before: [[1]], after: [] },
      { table: "children", before: [[7, 1]], after: [] },
    ],
  ],
  [
    "DELETE FROM logged",
    [
      { table: "logged", before: [[5]], after: [] },
      { table: "log", before: [], after: [["gone 5"]] },
    ],
  ],
  ["UPDATE t SET n = 0 WHERE id > 100", [{ table: "t", before: [], after: [] }]],
  [`UPDATE "odd ""name" SET "a b" = 2`, [{ table: 'odd "name', before: [[1, "x", 1]], after: [[2, "x", 1]] }]],
  ["WITH x AS (SELECT 3 AS id) DELETE FROM t WHERE id IN x", [{ table: "t", before: [[3, "c", 30]], after: [] }]],
])("previews %s", async (sql, expected) => {
  await using opened = await openEngine(SCHEMA);
  const reply = change(opened, sql, { dryRun: true });
  expect(reply.rolledBack).toBe(true);
  expect(reply.previews?.map(({ table, before, after, truncated }) => ({ table, before, after, truncated }))).toEqual(
    expected.map((one) => ({ ...one, truncated: false })),
  );
  const transaction = transact(opened, [sql], { dryRun: true });
  expect(transaction.results[0]?.previews).toEqual(reply.previews);
});

test("previews each statement of a transaction on the rows of the ones before", async () => {
  await using opened = await openEngine(SCHEMA);
  const queries = [
    ...["UPDATE many SET n = 0 WHERE id = 1", "ALTER TABLE many RENAME COLUMN n TO m", "SELECT m FROM many"],
    ...["UPDATE many SET m = 7 WHERE id = 1", "ALTER TABLE many DROP COLUMN m", "DELETE FROM many WHERE id = 1"],
  ];
  const { results } = transact(opened, queries, { dryRun: true });
  expect(results.map(({ previews }) => previews?.map(({ before, after }) => [before, after]))).toEqual([
    [[[[1, 1]], [[1, 0]]]],
    [
      [
        [],
        [
          [1, 0],
          [2, 2],
          [3, 3],
        ],
      ],
    ],
    undefined,
    [[[[1, 0]], [[1, 7]]]],
    [[[], [[1], [2], [3]]]],
    [[[[1]], []]],
  ]);
  expect(rowsOf(opened.file, "SELECT * FROM many WHERE id = 1")).toEqual([[1, 1]]);
});

test("shows the first five rows of each side", async () => {
  await using opened = await openEngine(SCHEMA);
  const [preview] = change(opened, "UPDATE many SET n = 0", { dryRun: true }).previews ?? [];
  expect(preview).toMatchObject({ added: 0, deleted: 0, updated: 40, truncated: true });
  expect([preview?.before.length, preview?.after.length]).toEqual([5, 5]);
  expect(change(opened, "UPDATE many SET n = 0 WHERE id <= 5", { dryRun: true }).previews).toMatchObject([{ truncated: false }]);
});

test("bounds the previews of a transaction together", async () => {
  await using opened = await openEngine(`CREATE TABLE long (id INTEGER PRIMARY KEY, v); INSERT INTO long VALUES (1, printf('%0300d', 1))`);
  const { results } = transact(
    opened,
    Array.from({ length: 200 }, () => "UPDATE long SET v = v || 'x'"),
    { dryRun: true },
  );
  expect(JSON.stringify(results[0]?.previews)).toContain("…");
  expect(
    Buffer.byteLength(JSON.stringify(results.map(({ previews }) => previews?.map(({ before, after }) => [before, after])))),
  ).toBeLessThan(30_000);
  expect(results.at(-1)?.previews).toMatchObject([{ before: [], after: [], truncated: true }]);
});

test("counts column names among the bytes of previews", async () => {
  const names = Array.from({ length: 5 }, (_, index) => `"${"long name ".repeat(10)}${index}"`);
  await using opened = await openEngine(`CREATE TABLE named (${names.join(", ")}); INSERT INTO named DEFAULT VALUES`);
  const updates = Array.from({ length: 100 }, (_, index) => `UPDATE named SET ${names[0]} = ${index}`);
  const { results } = transact(opened, updates, { dryRun: true });
  const complete = results.filter(({ previews }) => previews?.some(({ truncated }) => !truncated)).length;
  expect(complete).toBeGreaterThan(10);
  expect(complete).toBeLessThan(30);
});

test.each([
  [100, 100, false],
  [150, 100, true],
])("previews a table with %i columns by %i of them", async (count, columnCount, truncated) => {
  const columns = Array.from({ length: count }, (_, index) => `c${index}`);
  await using opened = await openEngine(`CREATE TABLE wide (${columns.join(", ")}); INSERT INTO wide (c0) VALUES (1)`);
  const [preview] = change(opened, "UPDATE wide SET c99 = 1", { dryRun: true }).previews ?? [];
  expect([preview?.columns.length, preview?.before[0]?.length, preview?.truncated]).toEqual([columnCount, columnCount, truncated]);
});

describe("leaves nothing behind after a dry run", () => {
  test.each(["UPDATE t SET n = 1", "UPDATE t SET code = 'a'", "DELETE FROM parents"])("with %s", async (sql) => {
    await using opened = await openEngine(SCHEMA);
    try {
      change(opened, sql, { dryRun: true });
    } catch (error) {
      expect(String(error)).toContain("UNIQUE constraint failed");
    }
    expect(opened.engine.db.prepare("SELECT name FROM temp.sqlite_schema").all()).toEqual([]);
    expect(opened.engine.db.inTransaction).toBe(false);
    expect(change(opened, "UPDATE t SET n = n + 1", { maxChanges: null })).toMatchObject({ changes: 3, rolledBack: false });
    expect(rowsOf(opened.file, "SELECT n FROM t")).toEqual([[11], [21], [31]]);
  });

  test("records nothing by the trigger function outside a preview", async () => {
    await using opened = await openEngine(SCHEMA);
    change(opened, "UPDATE t SET n = 1", { dryRun: true });
    expect(change(opened, "UPDATE t SET n = record_row(0, 'before', 1)", { maxChanges: null })).not.toHaveProperty("previews");
  });
});

test.each(["CREATE TABLE other (a)", "DROP TABLE t", "UPDATE t SET n = 1 RETURNING n", "ANALYZE"])(
  "previews nothing for %s",
  async (sql) => {
    await using opened = await openEngine(SCHEMA);
    expect(change(opened, sql, { dryRun: true })).not.toHaveProperty("previews");
  },
);
