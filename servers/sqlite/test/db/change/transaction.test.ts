// Transactions of several statements on a real database: their results, what they keep, and what needs confirmation.
import type { StatementRows } from "../../../src/db/protocol/rows.ts";
import { describe, expect, test } from "vitest";
import { rowsOf } from "../../support/databases.ts";
import { openEngine, transact } from "../../support/engine.ts";

const SCHEMA = `
  CREATE TABLE t (id INTEGER PRIMARY KEY, n); INSERT INTO t VALUES (1, 10), (2, 20), (3, 9007199254740993);
  CREATE TABLE parent (id INTEGER PRIMARY KEY); CREATE TABLE child (id INTEGER PRIMARY KEY, p REFERENCES parent ON DELETE CASCADE);
  INSERT INTO parent VALUES (1), (2); INSERT INTO child VALUES (1, 1), (2, 1), (3, 2);
  CREATE VIEW v AS SELECT * FROM t; CREATE TABLE spare (a);
`;
const opening = () => openEngine(SCHEMA);

test("commits the changes of a transaction together and adds them up", async () => {
  await using opened = await opening();
  expect(transact(opened, ["INSERT INTO t (n) VALUES (30), (40)", "UPDATE t SET n = n + 1 WHERE id < 3"], { maxChanges: 2 })).toEqual({
    results: [
      { verb: "INSERT", changes: 2, lastInsertRowid: 5 },
      { verb: "UPDATE", changes: 2, lastInsertRowid: null },
    ],
    changes: 4,
    rolledBack: false,
  });
  expect(rowsOf(opened.file, "SELECT n FROM t WHERE id <> 3 ORDER BY id")).toEqual([[11], [21], [30], [40]]);
});

test("keeps nothing after a dry run, and needs no confirmation for it", async () => {
  await using opened = await opening();
  const reply = transact(opened, ["DELETE FROM t", "DROP TABLE spare"], { dryRun: true });
  expect(reply).toMatchObject({ changes: 3, rolledBack: true });
  expect(reply).not.toHaveProperty("confirmation");
  expect(rowsOf(opened.file, "SELECT count(*) FROM t, spare")).toEqual([[0]]);
  expect(rowsOf(opened.file, "SELECT count(*) FROM t")).toEqual([[3]]);
});

const valuesOf = (rows: StatementRows | undefined): unknown => (rows === undefined ? undefined : JSON.parse(`[${rows.encoded.arrays}]`));

describe("the rows of its statements", () => {
  test("are read between its changes, by exact integers", async () => {
    await using opened = await opening();
    const queries = [
      "UPDATE t SET n = 11 WHERE id = 1",
      "SELECT id, n FROM t",
      "DELETE FROM t WHERE id = 1",
      "SELECT count(*) AS c FROM t",
    ];
    const { results } = transact(opened, queries, { maxChanges: 9 });
    expect(results.map(({ verb, changes, rows }) => [verb, changes, valuesOf(rows)])).toEqual([
      ["UPDATE", 1, undefined],
      [
        "SELECT",
        0,
        [
          [1, 11],
          [2, 20],
          [3, "9007199254740993"],
        ],
      ],
      ["DELETE", 1, undefined],
      ["SELECT", 0, [[2]]],
    ]);
    expect(results[1]).toEqual({ verb: "SELECT", changes: 0, rows: expect.objectContaining({ hasMore: false }) });
    expect(results[1]?.rows?.columns).toContain('[{"name":"id",');
  });

  test("are bounded, and marked as cut", async () => {
    await using opened = await opening();
    const N = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 101) SELECT";
    const [within, beyond, large] = transact(opened, [
      `${N} i FROM c WHERE i <= 100`,
      `${N} i FROM c`,
      `${N} printf('%0999d', i) FROM c`,
    ]).results;
    expect([within?.rows?.rowCount, within?.rows?.hasMore]).toEqual([100, false]);
    expect([beyond?.rows?.rowCount, beyond?.rows?.hasMore]).toEqual([100, true]);
    expect(large?.rows?.rowCount).toBeLessThan(100);
    expect(large?.rows?.hasMore).toBe(true);
    const [oversized] = transact(opened, ["SELECT zeroblob(9), printf('%01500d', 1)"]).results;
    expect(oversized?.rows?.clipped).toHaveLength(1);
  });

  test("of RETURNING are in the result of their statement", async () => {
    await using opened = await opening();
    const [result] = transact(opened, ["INSERT INTO t (n) VALUES (7), (8) RETURNING n"]).results;
    expect(result).toMatchObject({ verb: "INSERT", changes: 2, lastInsertRowid: 5, rows: { hasMore: false } });
    expect(valuesOf(result?.rows)).toEqual([[7], [8]]);
  });
});

test("returns exact and bounded rows of RETURNING while it changes all of them", async () => {
  await using opened = await opening();
  const [exact, many, long] = transact(
    opened,
    [
      "INSERT INTO t VALUES (9007199254740995, NULL) RETURNING id",
      "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 120) INSERT INTO spare SELECT i FROM c RETURNING a",
      "INSERT INTO spare VALUES (1) RETURNING printf('%01500d', a), a",
    ],
    {},
  ).results;
  expect(exact).toMatchObject({ changes: 1, lastInsertRowid: "9007199254740995" });
  expect(valuesOf(exact?.rows)).toEqual([["9007199254740995"]]);
  expect(many).toMatchObject({ changes: 120, lastInsertRowid: 120, rows: { hasMore: true } });
  expect(many?.rows?.rowCount).toBe(100);
  expect(long?.rows?.clipped).toHaveLength(1);
  expect(rowsOf(opened.file, "SELECT count(*) FROM spare")).toEqual([[121]]);
});

describe("requires confirmation for a transaction", () => {
  test("that alters more rows than allowed, and names the tables of foreign keys", async () => {
    await using opened = await opening();
    const queries = ["UPDATE t SET n = 0", "DELETE FROM parent WHERE id = 1"];
    expect(transact(opened, queries, { maxChanges: 5 })).toMatchObject({
      rolledBack: true,
      confirmation: { changes: 6, alsoChangedTables: [expect.objectContaining({ table: "child" })] },
    });
    expect(rowsOf(opened.file, "SELECT count(*) FROM child")).toEqual([[3]]);
    const kept = transact(opened, queries, { maxChanges: 6 });
    expect(kept).toMatchObject({ rolledBack: false, changes: 4 });
    expect(kept).not.toHaveProperty("confirmation");
    expect(kept.results[1]).toMatchObject({ changes: 1, alsoChanged: 2 });
    expect(rowsOf(opened.file, "SELECT id FROM child")).toEqual([[3]]);
  });

  test("that alters few rows when the limit is zero", async () => {
    await using opened = await opening();
    expect(transact(opened, ["UPDATE t SET n = 0 WHERE id = 1"]).confirmation).toEqual({
      changes: 1,
      parts: [{ verb: "UPDATE", table: "t", changes: 1 }],
    });
    expect(transact(opened, ["INSERT INTO t (n) VALUES (1)"])).not.toHaveProperty("confirmation");
  });

  test("that drops objects, and names them and all that they break", async () => {
    await using opened = await opening();
    const queries = ["INSERT INTO spare VALUES (1)", "DROP TABLE spare", "DROP VIEW v", "UPDATE t SET n = 1 WHERE id = 1"];
    const { rolledBack, confirmation } = transact(opened, queries, { maxChanges: 1 });
    expect([rolledBack, confirmation?.changes]).toEqual([true, 0]);
    expect(confirmation?.drops).toMatch(/^.*spare.*, .*\bv\b.*$/);
    expect(confirmation).not.toHaveProperty("alsoChangedTables");
    expect(rowsOf(opened.file, "SELECT name FROM sqlite_schema WHERE name IN ('spare', 'v') ORDER BY 1")).toEqual([["spare"], ["v"]]);
    const kept = transact(opened, queries, { maxChanges: 1, allowDrop: true });
    expect(kept).toMatchObject({
      rolledBack: false,
      results: [{ verb: "INSERT" }, { verb: "DROP", schemaChange: { isDone: true } }, { verb: "DROP" }, { changes: 1 }],
    });
    expect(kept.results[3]).not.toHaveProperty("schemaChange");
    expect(rowsOf(opened.file, "SELECT name FROM sqlite_schema WHERE name IN ('spare', 'v')")).toEqual([]);
    const broken = transact(opened, ["CREATE VIEW v AS SELECT * FROM t", "DROP TABLE t"]);
    expect([broken.broken, broken.confirmation?.broken]).toEqual([[expect.stringContaining("v")], [expect.stringContaining("v")]]);
  });
});

describe("hides an earlier transaction", () => {
  const ROWID = "SELECT last_insert_rowid() AS id, changes() AS c, total_changes() AS t";
  test.each([
    [[ROWID], [[0, 0, 0]]],
    [["SELECT 1", ROWID], [[0, 0, 0]]],
    [["INSERT INTO spare VALUES (1)", ROWID], [[1, 1, 1]]],
  ])("from %j", async (queries, expected) => {
    await using opened = await opening();
    transact(opened, ["INSERT INTO t (n) VALUES (1), (2)"]);
    expect(valuesOf(transact(opened, queries).results.at(-1)?.rows)).toEqual(expected);
  });

  test("reports no row of an earlier transaction for an upsert that updates", async () => {
    await using opened = await opening();
    transact(opened, ["INSERT INTO t (n) VALUES (1), (2)"]);
    const upsert = "INSERT INTO t VALUES (1, 5) ON CONFLICT (id) DO  \n UPDATE SET n = 6";
    expect(transact(opened, [upsert], { maxChanges: 1 }).results[0]).toMatchObject({ changes: 1, lastInsertRowid: null });
  });
});

describe("an error names its statement", () => {
  test.each([
    [
      "INSERT INTO t VALUES (1, 1)",
      /^Statement 2: UNIQUE constraint failed: t\.id: 1, the row with id 1 .* All statements were rolled back\.$/,
    ],
    ["SELECT * FROM", "Statement 2: incomplete input. All statements were rolled back."],
    ["COMMIT", /^Statement 2: .*[.] Nothing was done\.$/],
    ["INSERT INTO child VALUES (9, 9)", /^Statement 2: FOREIGN KEY .* Insert the row of parent first\. All statements were rolled back\.$/],
  ])("for %s", async (query, message) => {
    await using opened = await opening();
    expect(() => transact(opened, ["INSERT INTO spare VALUES (1)", query])).toThrow(message);
    expect(rowsOf(opened.file, "SELECT * FROM spare")).toEqual([]);
    expect(opened.engine.db.inTransaction).toBe(false);
  });
});
