// One statement that changes data or the schema on a real database: its reply, what it keeps, and what needs confirmation.
import { describe, expect, test } from "vitest";
import { runChange } from "../../../src/db/change/change.ts";
import { rowsOf } from "../../support/databases.ts";
import { change, NO_OUTPUT, openEngine, type OpenedEngine } from "../../support/engine.ts";

const SCHEMA = `
  CREATE TABLE t (id INTEGER PRIMARY KEY, n UNIQUE); INSERT INTO t VALUES (1, 10), (2, 20), (3, 30);
  CREATE TABLE parent (id INTEGER PRIMARY KEY); CREATE TABLE child (id INTEGER PRIMARY KEY, p REFERENCES parent ON DELETE CASCADE);
  INSERT INTO parent VALUES (1), (2); INSERT INTO child VALUES (1, 1), (2, 1), (3, 2);
  CREATE VIEW v AS SELECT * FROM t; CREATE TRIGGER on_v INSTEAD OF UPDATE ON v BEGIN UPDATE t SET n = new.n WHERE id = old.id; END;
  CREATE VIRTUAL TABLE words USING fts5(body); INSERT INTO words VALUES ('one');
  CREATE TABLE w (k TEXT PRIMARY KEY, n) WITHOUT ROWID;
`;
const opening = () => openEngine(SCHEMA);
const names = ({ file }: OpenedEngine): unknown =>
  rowsOf(file, "SELECT name FROM sqlite_schema WHERE name IN ('t', 'v', 'made') ORDER BY 1");

test.each([
  ["INSERT INTO t (n) VALUES (40), (50)", { verb: "INSERT", changes: 2, lastInsertRowid: 5, rolledBack: false }],
  ["INSERT INTO t VALUES (9007199254740993, 1)", { verb: "INSERT", changes: 1, lastInsertRowid: "9007199254740993", rolledBack: false }],
  ["INSERT INTO t VALUES (-5, 1)", { verb: "INSERT", changes: 1, lastInsertRowid: -5, rolledBack: false }],
  ["INSERT INTO t SELECT 9, 9 WHERE 0", { verb: "INSERT", changes: 0, lastInsertRowid: null, rolledBack: false }],
  ["INSERT INTO t SELECT 9, 9 WHERE 0 RETURNING id", expect.objectContaining({ changes: 0, lastInsertRowid: null })],
  [
    "INSERT INTO t VALUES (1, 5) ON CONFLICT (id) DO UPDATE SET n = 6 RETURNING id",
    expect.objectContaining({ changes: 1, lastInsertRowid: null }),
  ],
  ["INSERT OR IGNORE INTO t VALUES (1, 1)", { verb: "INSERT", changes: 0, lastInsertRowid: null, rolledBack: false }],
  ["INSERT INTO t VALUES (0, 1)", { verb: "INSERT", changes: 1, lastInsertRowid: 0, rolledBack: false }],
  ["INSERT INTO words VALUES ('two')", { verb: "INSERT", changes: 1, lastInsertRowid: 2, rolledBack: false }],
  ["INSERT INTO words (words) VALUES ('optimize')", expect.objectContaining({ lastInsertRowid: null })],
  ["INSERT INTO w VALUES ('a', 1)", { verb: "INSERT", changes: 1, lastInsertRowid: null, rolledBack: false }],
  ["UPDATE t SET n = n + 1 WHERE id > 1", { verb: "UPDATE", changes: 2, lastInsertRowid: null, rolledBack: false }],
  ["DELETE FROM t", { verb: "DELETE", changes: 3, lastInsertRowid: null, rolledBack: false, wholeTable: "t" }],
  ["REPLACE INTO t VALUES (1, 20)", { verb: "REPLACE", changes: 1, lastInsertRowid: 1, rolledBack: false }],
  [
    "DELETE FROM parent",
    {
      verb: "DELETE",
      wholeTable: "parent",
      changes: 2,
      lastInsertRowid: null,
      rolledBack: false,
      alsoChanged: 3,
      alsoChangedTables: [expect.objectContaining({ table: "child" })],
    },
  ],
  ["UPDATE v SET n = n + 1", { verb: "UPDATE", changes: 3, lastInsertRowid: null, rolledBack: false }],
  [
    "CREATE TABLE made (a)",
    {
      verb: "CREATE",
      changes: 0,
      lastInsertRowid: null,
      rolledBack: false,
      table: "made",
      schemaChange: { object: "the table made", act: "created", isDone: true },
    },
  ],
  ["ANALYZE", { verb: "ANALYZE", changes: 0, lastInsertRowid: null, rolledBack: false }],
])("reports %s", async (sql, reply) => {
  await using opened = await opening();
  expect(change(opened, sql, { maxChanges: null })).toStrictEqual(reply);
  expect(opened.engine.db.inTransaction).toBe(false);
});

test("commits a change for other connections, and no dry run", async () => {
  for (const [dryRun, rows] of [
    [true, [[10], [20], [30]]],
    [false, [[11], [20], [30]]],
  ] as const) {
    await using opened = await opening();
    const reply = change(opened, "UPDATE t SET n = 11 WHERE id = 1", { maxChanges: 1, dryRun });
    expect(reply).toMatchObject({ changes: 1, rolledBack: dryRun });
    expect(reply).not.toHaveProperty("confirmation");
    expect(rowsOf(opened.file, "SELECT n FROM t ORDER BY id")).toEqual(rows);
  }
});

test("undoes an insert without a transaction in a dry run", async () => {
  await using opened = await opening();
  expect(change(opened, "INSERT INTO t (n) VALUES (40)", { dryRun: true })).toMatchObject({ changes: 1, rolledBack: true });
  expect(rowsOf(opened.file, "SELECT count(*) FROM t")).toEqual([[3]]);
});

test("hides the row id of an earlier call", async () => {
  for (const sql of [
    "INSERT INTO t VALUES (1, 5) ON CONFLICT (id) DO UPDATE SET n = 6",
    "INSERT INTO t SELECT 9, 9 WHERE last_insert_rowid() <> 0",
  ]) {
    await using opened = await opening();
    change(opened, "INSERT INTO t (n) VALUES (40)");
    expect(change(opened, sql, { maxChanges: null })).toMatchObject({ lastInsertRowid: null });
  }
});

test("reports the id of the row that an upsert adds, even if an earlier call added one with this id", async () => {
  await using opened = await opening();
  change(opened, "INSERT INTO t (n) VALUES (40)");
  change(opened, "DELETE FROM t WHERE id = 4", { maxChanges: 1 });
  const upsert = "INSERT INTO t VALUES (4, 5) ON CONFLICT (id) DO UPDATE SET n = 6";
  expect(change(opened, upsert, { maxChanges: 1 })).toMatchObject({ changes: 1, lastInsertRowid: 4 });
  expect(change(opened, upsert, { maxChanges: 1 })).toMatchObject({ changes: 1, lastInsertRowid: null });
});

describe("requires confirmation", () => {
  test.each([
    ["UPDATE t SET n = n + 1", { changes: 3, parts: [{ verb: "UPDATE", table: "t", changes: 3, rows: 3 }] }],
    ["REPLACE INTO t SELECT id, n FROM t WHERE id < 3", { changes: 2, parts: [{ verb: "REPLACE", table: "t", changes: 2 }] }],
    [
      "DELETE FROM parent WHERE id = 1",
      {
        changes: 3,
        parts: [{ verb: "DELETE", table: "parent", changes: 1, rows: 2 }],
        alsoChangedTables: [expect.objectContaining({ table: "child" })],
      },
    ],
    [
      "UPDATE v SET n = n + 1",
      {
        changes: 3,
        parts: [{ verb: "UPDATE", table: "v", changes: 3 }],
        alsoChangedTables: [expect.objectContaining({ table: "t" })],
      },
    ],
  ])("for %s beyond the limit, and changes nothing without it", async (sql, confirmation) => {
    await using opened = await opening();
    expect(change(opened, sql, { maxChanges: 1 })).toMatchObject({ rolledBack: true });
    expect(change(opened, sql, { maxChanges: confirmation.changes - 1 }).confirmation).toStrictEqual(confirmation);
    expect(rowsOf(opened.file, "SELECT (SELECT sum(n) FROM t), (SELECT count(*) FROM child)")).toEqual([[60, 3]]);
    const kept = change(opened, sql, { maxChanges: confirmation.changes });
    expect(kept.rolledBack).toBe(false);
    expect(kept).not.toHaveProperty("confirmation");
  });

  test("for any removal, and names the objects that it breaks", async () => {
    await using opened = await opening();
    const reply = change(opened, "DROP TABLE t", { maxChanges: null });
    expect(reply).toMatchObject({ rolledBack: true, confirmation: { changes: 0 }, schemaChange: { isDone: true } });
    expect(reply.confirmation?.drops).toContain("t");
    expect(reply.confirmation?.broken?.join()).toContain("v");
    expect(reply.broken).toEqual(reply.confirmation?.broken);
    expect(names(opened)).toEqual([["t"], ["v"]]);
    const dry = change(opened, "DROP TABLE t", { dryRun: true });
    expect(dry).toMatchObject({ rolledBack: true, broken: reply.broken });
    expect(dry).not.toHaveProperty("confirmation");
    expect(change(opened, "DROP TABLE t", { allowDrop: true })).toMatchObject({ verb: "DROP", rolledBack: false });
    expect(names(opened)).toEqual([["v"]]);
  });

  test("for a removal whose foreign keys delete rows of other tables, and counts only those", async () => {
    await using opened = await opening();
    expect(change(opened, "DROP TABLE parent", { allowDrop: true, maxChanges: 2 })).toMatchObject({
      rolledBack: true,
      confirmation: { changes: 3 },
    });
    expect(change(opened, "DROP TABLE parent", { allowDrop: true, maxChanges: 3 })).toMatchObject({
      changes: 0,
      alsoChanged: 3,
      rolledBack: false,
    });
    expect(rowsOf(opened.file, "SELECT count(*) FROM child")).toEqual([[0]]);
  });

  test("after rows of RETURNING were written, and withdraws them when the statement runs again", async () => {
    await using opened = await opening();
    const restarts: string[] = [];
    const output = { ...NO_OUTPUT, restart: () => void restarts.push("restart") };
    const limits = { maxRows: 100, maxBytes: 100_000, maxTextLength: 1000, maxBlobBytes: 32 };
    const run = (sql: string, maxChanges: number) =>
      runChange(opened.engine, { op: "write", sql, limits, maxChanges, allowDrop: false, dryRun: false }, output);
    // How many rows are replaced is known only by counting.
    expect(run("REPLACE INTO t SELECT id, n FROM t RETURNING id", 2)).toMatchObject({ rolledBack: true, confirmation: { changes: 3 } });
    expect(restarts).toEqual(["restart"]);
    expect(run("UPDATE t SET n = n + 1 RETURNING id", 2)).toMatchObject({ rolledBack: true, confirmation: { changes: 3 } });
    expect(restarts).toEqual(["restart"]);
    expect(run("UPDATE t SET n = n + 1 RETURNING id", 3)).toMatchObject({ changes: 3, returning: { rowCount: 3, hasMore: false } });
  });
});

describe("a new table", () => {
  const create = ({ engine }: OpenedEngine, sql: string) =>
    runChange(
      engine,
      {
        op: "write",
        sql,
        limits: { maxRows: 1, maxBytes: 1000, maxTextLength: 10, maxBlobBytes: 1 },
        maxChanges: 0,
        allowDrop: false,
        dryRun: false,
        createTableOnly: true,
      },
      NO_OUTPUT,
    );

  test("appears in the reply, and so does an existing object of its name", async () => {
    await using opened = await opening();
    expect(create(opened, "CREATE TABLE made (a)")).toMatchObject({ table: "made", schemaChange: { isDone: true }, rolledBack: false });
    expect(create(opened, "CREATE TABLE IF NOT EXISTS v (a)")).toMatchObject({
      table: "v",
      existingType: "view",
      schemaChange: { isDone: false },
    });
    expect(names(opened)).toEqual([["made"], ["t"], ["v"]]);
    expect(change(opened, "CREATE VIEW other AS SELECT 1")).not.toHaveProperty("table");
    expect(change(opened, "INSERT INTO made VALUES (1)")).not.toHaveProperty("table");
  });

  test.each(["CREATE VIEW made AS SELECT 1", "INSERT INTO t (n) VALUES (1)", "DROP TABLE t"])("is not created by %s", async (sql) => {
    await using opened = await opening();
    expect(() => create(opened, sql)).toThrow("create_table takes one CREATE TABLE statement. Use write_query for others.");
    expect(rowsOf(opened.file, "SELECT count(*) FROM t")).toEqual([[3]]);
  });
});
