// Rows that a statement changes by another way than its verb and its table: chains of triggers, keys, views and several statements.
import { describe, expect, test } from "vitest";
import { rowsOf } from "../../support/databases.ts";
import { change, openEngine, transact } from "../../support/engine.ts";

const N = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)";
const filled = (table: string, columns: string, values: string, options = ""): string =>
  `CREATE TABLE ${table} (${columns}) ${options}; ${N} INSERT INTO ${table} SELECT ${values} FROM n;`;
const TABLES = ["stock", "keyed", "codes", "kids", "tree"];
const SCHEMA = `
  ${filled("stock", "id INTEGER PRIMARY KEY, amount INTEGER", "i, i")}
  ${filled("keyed", "k TEXT PRIMARY KEY, v", "'k' || i, i", "WITHOUT ROWID")}
  ${filled("codes", "id INTEGER PRIMARY KEY, a, live", "i, i, 1")} CREATE UNIQUE INDEX live_codes ON codes (a) WHERE live; CREATE UNIQUE INDEX lower_codes ON codes (a + 1000);
  CREATE TABLE defaults (id INTEGER PRIMARY KEY); INSERT INTO defaults VALUES (1), (2);
  ${filled("kids", "id INTEGER PRIMARY KEY, d DEFAULT 2 REFERENCES defaults ON UPDATE SET DEFAULT ON DELETE SET NULL", "i, 1")}
  ${filled("tree", "id INTEGER PRIMARY KEY, up REFERENCES tree ON DELETE CASCADE", "i, nullif(i - 1, 0)")}
  CREATE TABLE start (id INTEGER PRIMARY KEY, what TEXT);
  CREATE TABLE middle (id INTEGER PRIMARY KEY);
  CREATE TRIGGER on_start AFTER INSERT ON start WHEN new.what = 'chain' BEGIN INSERT INTO middle VALUES (new.id); END;
  CREATE TRIGGER on_middle AFTER INSERT ON middle BEGIN UPDATE stock SET amount = 0; END;
  CREATE TRIGGER on_before BEFORE INSERT ON start WHEN new.what = 'before' BEGIN DELETE FROM keyed; END;
  CREATE TRIGGER on_upsert AFTER INSERT ON start WHEN new.what = 'upsert' BEGIN
    INSERT INTO keyed SELECT k, 0 FROM keyed WHERE 1 ON CONFLICT (k) DO UPDATE SET v = excluded.v; END;
  CREATE TRIGGER on_replace AFTER INSERT ON start WHEN new.what = 'replace' BEGIN
    INSERT OR REPLACE INTO codes SELECT id + 100, a, 1 FROM codes; END;
  CREATE TRIGGER on_update AFTER UPDATE OF what ON start BEGIN DELETE FROM stock; END;
  INSERT INTO start VALUES (1, 'plain');
  CREATE TRIGGER on_ignored BEFORE INSERT ON start WHEN new.what = 'ignored' BEGIN DELETE FROM stock; SELECT RAISE(IGNORE); END;
  CREATE VIEW inner_view AS SELECT * FROM stock;
  CREATE TRIGGER on_inner INSTEAD OF UPDATE ON inner_view BEGIN UPDATE stock SET amount = new.amount WHERE id = new.id; END;
  CREATE VIEW outer_view AS SELECT * FROM inner_view;
  CREATE TRIGGER on_outer INSTEAD OF UPDATE OF amount ON outer_view BEGIN UPDATE inner_view SET amount = new.amount WHERE id = old.id; END;
  CREATE TRIGGER on_outer_insert INSTEAD OF INSERT ON outer_view BEGIN INSERT OR REPLACE INTO stock SELECT id, new.amount FROM stock; END;
  CREATE TABLE self (id INTEGER PRIMARY KEY); ${N} INSERT INTO self SELECT i FROM n;
  CREATE TRIGGER on_self AFTER DELETE ON self BEGIN DELETE FROM self WHERE id > old.id; END;
  CREATE VIRTUAL TABLE erasable USING fts5(body, content='', contentless_delete=1); ${N} INSERT INTO erasable (rowid, body) SELECT i, 'b' FROM n;
  CREATE VIRTUAL TABLE indexed USING fts5(amount, content='stock', content_rowid='id'); INSERT INTO indexed (indexed) VALUES ('rebuild');
  CREATE VIRTUAL TABLE sizeless USING fts5(amount, content='stock', content_rowid='id', columnsize=0);
  CREATE TABLE boxed (id INTEGER PRIMARY KEY); CREATE VIRTUAL TABLE boxes USING rtree(id, a, b); ${N} INSERT INTO boxes SELECT i, i, i FROM n;
  CREATE TRIGGER on_boxed AFTER INSERT ON boxed BEGIN DELETE FROM boxes; END;
`;

const ALTERED: [sql: string, atLeast: number][] = [
  ["INSERT INTO start VALUES (9, 'chain')", 50],
  ["INSERT INTO start VALUES (9, 'chain') RETURNING id", 50],
  ["INSERT INTO start VALUES (9, 'before')", 50],
  ["INSERT INTO start VALUES (9, 'upsert')", 50],
  ["INSERT INTO start VALUES (9, 'replace')", 50],
  ["INSERT INTO start VALUES (9, 'ignored')", 50],
  ["INSERT OR IGNORE INTO start VALUES (9, 'ignored')", 50],
  ["UPDATE start SET what = what", 50],
  ["INSERT INTO start VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET what = 'y'", 51],
  ["UPDATE outer_view SET amount = 0", 50],
  ["WITH x AS (SELECT 1) UPDATE outer_view SET amount = 0 WHERE id IN (SELECT id FROM stock)", 50],
  ["INSERT INTO outer_view VALUES (0, 0)", 50],
  ["UPDATE defaults SET id = 9 WHERE id = 1", 51],
  ["DELETE FROM defaults WHERE id = 1", 51],
  ["REPLACE INTO defaults VALUES (1)", 51],
  ["DELETE FROM tree WHERE id = 1", 50],
  ["REPLACE INTO tree VALUES (1, NULL)", 50],
  ["DELETE FROM self WHERE id = 1", 50],
  ["REPLACE INTO codes SELECT id + 500, a, live FROM codes", 50],
  ["UPDATE OR REPLACE codes SET a = 1", 50],
  ["WITH x AS (SELECT * FROM keyed) REPLACE INTO keyed SELECT k, 0 FROM x", 50],
  ["DELETE FROM erasable", 50],
  ["INSERT OR REPLACE INTO erasable (rowid, body) SELECT id, 'x' FROM stock", 50],
  ["INSERT INTO indexed (indexed) VALUES ('delete-all')", 50],
  ["INSERT INTO indexed (indexed, rowid, amount) SELECT 'delete', id, amount FROM stock", 50],
  ["INSERT INTO sizeless (sizeless) VALUES ('delete-all')", 50],
  ["INSERT INTO middle VALUES (5) ON CONFLICT DO NOTHING", 50],
  ["INSERT INTO boxed VALUES (1)", 50],
  ["DELETE FROM stock WHERE (id, amount) IN (SELECT id, amount FROM stock) RETURNING *", 50],
  ["UPDATE keyed SET (k, v) = (SELECT k || 'x', 0)", 50],
];

const content = (file: string): unknown => [
  ...TABLES.map((table) => rowsOf(file, `SELECT * FROM ${table} ORDER BY 1`)),
  rowsOf(
    file,
    "SELECT (SELECT count(*) FROM boxes), (SELECT count(*) FROM self), (SELECT count(*) FROM erasable), (SELECT count(*) FROM start)",
  ),
  rowsOf(file, "SELECT rowid FROM indexed WHERE indexed MATCH '7'"),
];

describe.each([
  ["a statement", (opened: Awaited<ReturnType<typeof openEngine>>, sql: string) => change(opened, sql, { maxChanges: 10 })],
  [
    "a transaction",
    (opened: Awaited<ReturnType<typeof openEngine>>, sql: string) =>
      transact(opened, ["INSERT INTO middle SELECT 77 WHERE 0", sql], { maxChanges: 10 }),
  ],
] as const)("%s", (_kind, run) => {
  test.each(ALTERED)("needs confirmation: %s", async (sql, atLeast) => {
    await using opened = await openEngine(SCHEMA);
    const before = content(opened.file);
    const { rolledBack, confirmation } = run(opened, sql);
    expect(rolledBack).toBe(true);
    expect(confirmation?.changes).toBeGreaterThanOrEqual(atLeast);
    expect(content(opened.file)).toEqual(before);
  });
});

test("needs confirmation for statements of a transaction that alter few rows each, by any verb", async () => {
  const statements = [
    "UPDATE stock SET amount = 0 WHERE id <= 6",
    "DELETE FROM keyed WHERE v <= 6",
    "REPLACE INTO stock SELECT id, 1 FROM stock WHERE id > 44",
    "INSERT INTO keyed SELECT k, 0 FROM keyed WHERE v > 44 ON CONFLICT DO UPDATE SET v = 0",
  ];
  for (let count = 1; count <= statements.length; count++) {
    await using opened = await openEngine(SCHEMA);
    const before = content(opened.file);
    const { rolledBack, confirmation } = transact(opened, statements.slice(0, count), { maxChanges: 10 });
    expect([rolledBack, confirmation?.changes]).toEqual(count === 1 ? [false, undefined] : [true, 6 * count]);
    if (count > 1) expect(content(opened.file)).toEqual(before);
  }
});

test("counts a trigger that the same transaction creates", async () => {
  await using opened = await openEngine(SCHEMA);
  const statements = ["CREATE TRIGGER late AFTER INSERT ON boxed BEGIN DELETE FROM stock; END", "INSERT INTO boxed VALUES (5)"];
  expect(transact(opened, statements, { maxChanges: 60 })).toMatchObject({ rolledBack: true });
  expect(rowsOf(opened.file, "SELECT count(*) FROM stock")).toEqual([[50]]);
});

test("keeps nothing after a dry run of each form", async () => {
  await using opened = await openEngine(SCHEMA);
  const before = content(opened.file);
  for (const [sql] of ALTERED) expect(change(opened, sql, { dryRun: true }), sql).toMatchObject({ rolledBack: true });
  transact(
    opened,
    ALTERED.slice(0, 1).map(([sql]) => sql),
    { dryRun: true },
  );
  expect(content(opened.file)).toEqual(before);
});
