// Every form of a statement that changes or removes existing rows needs confirmation, and is rolled back until then.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rowsOf, rowsOfAll } from "../../support/databases.ts";
import { change, openEngine, transact, type OpenedEngine } from "../../support/engine.ts";

const N = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)";
const filled = (table: string, columns: string, values: string, options = ""): string =>
  `CREATE TABLE ${table} (${columns}) ${options}; ${N} INSERT INTO ${table} SELECT ${values} FROM n;`;
const SCHEMA = `
  ${filled("stock", "id INTEGER PRIMARY KEY, name TEXT, amount INTEGER", "i, 'n' || i, i")}
  ${filled("numbers", "id INTEGER PRIMARY KEY, v INTEGER UNIQUE", "i, i")}
  ${filled("keyed", "k TEXT PRIMARY KEY, v", "'k' || i, i", "WITHOUT ROWID")}
  ${filled("codes", "id INTEGER PRIMARY KEY, a UNIQUE, b UNIQUE", "i, 'a' || i, 'b' || i")}
  ${filled("replacing", "id INTEGER PRIMARY KEY, x UNIQUE ON CONFLICT REPLACE", "i, i")}
  ${filled("generated", "a INTEGER, b AS (a * 2) STORED, UNIQUE (b)", "i")}
  ${filled('"we""ird t"', '"a b" PRIMARY KEY, c', "i, i")}
  CREATE TABLE parents (id INTEGER PRIMARY KEY); INSERT INTO parents VALUES (1), (2);
  ${filled("children", "id INTEGER PRIMARY KEY, parent REFERENCES parents ON DELETE CASCADE ON UPDATE CASCADE", "i, 1 + i % 2")}
  ${filled("toys", "id INTEGER PRIMARY KEY, child REFERENCES children ON DELETE SET NULL", "i, i")}
  CREATE TABLE selves (id INTEGER PRIMARY KEY, self REFERENCES selves ON DELETE CASCADE); INSERT INTO selves VALUES (1, 1), (2, 1);
  CREATE VIEW stock_view AS SELECT * FROM stock;
  CREATE TRIGGER view_delete INSTEAD OF DELETE ON stock_view BEGIN DELETE FROM stock WHERE id = old.id; END;
  CREATE TRIGGER view_update INSTEAD OF UPDATE ON stock_view BEGIN UPDATE stock SET amount = new.amount WHERE id = old.id; END;
  CREATE TRIGGER view_insert INSTEAD OF INSERT ON stock_view BEGIN DELETE FROM stock; END;
  CREATE TABLE chain (id INTEGER PRIMARY KEY);
  CREATE TRIGGER chained AFTER INSERT ON chain BEGIN DELETE FROM stock WHERE id <= new.id; END;
  CREATE TABLE guarded (id INTEGER PRIMARY KEY); INSERT INTO guarded VALUES (1);
  CREATE TRIGGER guard BEFORE DELETE ON guarded BEGIN UPDATE stock SET amount = 0; END;
  CREATE VIRTUAL TABLE texts USING fts5(body); ${N} INSERT INTO texts (rowid, body) SELECT i, 'b' || i FROM n;
  CREATE VIRTUAL TABLE old_texts USING fts4(body); ${N} INSERT INTO old_texts (docid, body) SELECT i, 'b' || i FROM n;
  CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1); ${N} INSERT INTO boxes SELECT i, i, i FROM n;
  CREATE VIRTUAL TABLE words USING fts5(body, content=''); ${N} INSERT INTO words (rowid, body) SELECT i, 'b' || i FROM n;
  CREATE TABLE harmless (id INTEGER PRIMARY KEY);
  CREATE TRIGGER harmless_insert AFTER INSERT ON harmless BEGIN INSERT INTO words (rowid, body) VALUES (new.id + 1000, 'x'); END;
`;

/** With the rows that are updated, replaced or deleted, each as often as that happens. */
const COUNTED: [sql: string, changes: number][] = [
  ["UPDATE stock SET amount = stock.amount + 1 FROM numbers WHERE numbers.id = stock.id AND v > 10", 40],
  ["UPDATE OR REPLACE codes SET a = 'a' || (id + 1) WHERE id < 20", 20],
  ["UPDATE OR REPLACE keyed SET v = 0", 50],
  ["UPDATE OR FAIL stock SET amount = 0", 50],
  ["UPDATE OR ROLLBACK main.stock SET amount = 0", 50],
  ["UPDATE stock SET id = id + 1000", 50],
  ["UPDATE keyed SET k = k || 'x' RETURNING k", 50],
  ["UPDATE parents SET id = id + 10", 52],
  ["DELETE FROM stock", 50],
  ["DELETE FROM `stock`", 50],
  ["DELETE FROM [stock] NOT INDEXED WHERE 1", 50],
  ["DELETE FROM main.stock AS s WHERE s.id > 10 RETURNING id", 40],
  ["DELETE FROM keyed", 50],
  ["DELETE FROM children", 100],
  ["DELETE FROM parents WHERE id = 1", 51],
  ["DELETE FROM selves", 2],
  ["DELETE FROM guarded", 51],
  ['DELETE FROM "we""ird t"', 50],
  ["DELETE FROM stock_view", 50],
  ["UPDATE stock_view SET amount = 0", 50],
  ["INSERT INTO stock_view VALUES (1, 2, 3)", 50],
  ["INSERT INTO chain VALUES (30)", 30],
  ["WITH x AS (SELECT 1) DELETE FROM stock", 50],
  ["WITH x (id) AS (SELECT id FROM numbers WHERE id > 5) UPDATE stock SET amount = 0 WHERE id IN x", 45],
  [`${N} INSERT INTO stock SELECT i, 'x', 0 FROM n WHERE 1 ON CONFLICT (id) DO UPDATE SET amount = 0`, 50],
  [`${N} INSERT INTO stock SELECT i + 20, 'x', 0 FROM n WHERE 1 ON CONFLICT (id) DO UPDATE SET amount = 0 RETURNING id`, 30],
  [`${N} INSERT INTO codes SELECT i + 100, 'a' || i, 'b' || (i + 100) FROM n WHERE 1 ON CONFLICT (a) DO UPDATE SET b = 'q' || id`, 50],
  [`${N} REPLACE INTO codes SELECT i + 100, 'a' || i, 'b' || i FROM n`, 50],
  [`${N} INSERT OR REPLACE INTO numbers SELECT i + 100, i FROM n`, 50],
  [`${N} INSERT INTO replacing SELECT i + 100, i FROM n`, 50],
  ["UPDATE replacing SET x = x + 1 WHERE id <= 10", 10],
  ["REPLACE INTO generated (a) SELECT id FROM numbers", 50],
  ["REPLACE INTO stock SELECT id, 'z', 0 FROM numbers RETURNING id", 50],
  ["DELETE FROM texts", 50],
  ["UPDATE texts SET body = 'z'", 50],
  ["REPLACE INTO texts (rowid, body) SELECT id, 'z' FROM numbers", 50],
  ["DELETE FROM old_texts", 50],
  ["REPLACE INTO old_texts (docid, body) SELECT id, 'z' FROM numbers", 50],
  ["UPDATE boxes SET x1 = x1 + 1", 50],
  ["REPLACE INTO boxes SELECT id, v, v + 1 FROM numbers", 50],
  ["INSERT INTO words (words) VALUES ('delete-all')", 50],
  ["INSERT INTO words (words) VALUES ('delete' || '-all')", 50],
  ["INSERT INTO words (words) SELECT 'delete-all'", 50],
  ["INSERT INTO words (words) VALUES ('optimize'), ('delete-all')", 50],
  ["INSERT INTO main.words AS w (words, rowid, body) VALUES ('delete', 1, 'b1')", 1],
  ["INSERT INTO words (rowid, body, words) SELECT id, 'b' || id, 'delete' FROM numbers WHERE id <= 7", 7],
];

const UNCOUNTED: string[] = [
  `${N} INSERT INTO stock SELECT i + 100, 'x', 0 FROM n`,
  `${N} INSERT OR IGNORE INTO stock SELECT i, 'x', 0 FROM n`,
  "UPDATE stock SET amount = 0 WHERE id > 1000",
  "DELETE FROM keyed WHERE k = 'none'",
  "INSERT INTO stock VALUES (1, 'x', 1) ON CONFLICT DO NOTHING",
  "INSERT INTO stock VALUES (1, 'x', 1) ON CONFLICT (id) DO UPDATE SET name = 'x' WHERE false",
  "REPLACE INTO stock VALUES (1000, 'x', 1)",
  "INSERT INTO texts (body) SELECT 'b' || id FROM numbers",
  "INSERT INTO texts (texts) VALUES ('optimize')",
  "INSERT INTO texts (texts, rank) VALUES ('merge', 100)",
  "INSERT INTO words (rowid, body) VALUES (100, 'delete-all')",
  "INSERT INTO harmless VALUES (1)",
  "CREATE TABLE copied AS SELECT * FROM stock",
  "ALTER TABLE stock ADD COLUMN z DEFAULT 1",
  "CREATE INDEX by_amount ON stock (amount)",
];

const TABLES = [
  "stock",
  "numbers",
  "keyed",
  "codes",
  "replacing",
  "generated",
  '"we""ird t"',
  "children",
  "toys",
  "selves",
  "texts",
  "old_texts",
  "boxes",
];

const contentOf = (file: string): unknown =>
  rowsOfAll(file, [...TABLES.map((table) => `SELECT * FROM ${table} ORDER BY 1`), "SELECT rowid FROM words WHERE words MATCH 'b1 OR b7'"]);

/** For statements that are rolled back or refused. */
let unchanged: OpenedEngine;
let before: unknown;
beforeAll(async () => {
  unchanged = await openEngine(`${SCHEMA} CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT)`);
  before = contentOf(unchanged.file);
});
afterAll(() => unchanged[Symbol.asyncDispose]());

describe.each([
  ["a statement", (opened: OpenedEngine, sql: string) => change(opened, sql)],
  ["a transaction", (opened: OpenedEngine, sql: string) => transact(opened, ["ANALYZE", sql])],
] as const)("%s", (_kind, run) => {
  test.each(COUNTED)("counts the rows that it alters: %s", (sql, changes) => {
    expect(run(unchanged, sql)).toMatchObject({ rolledBack: true, confirmation: { changes } });
    expect(contentOf(unchanged.file)).toEqual(before);
  });

  test.each(UNCOUNTED)("needs no confirmation for changes that alter no rows: %s", async (sql) => {
    await using opened = await openEngine(SCHEMA);
    expect(run(opened, sql)).toMatchObject({ rolledBack: false });
  });
});

describe("a trigger of a virtual table", () => {
  test.each([
    ["replaces rows", "INSERT OR REPLACE INTO boxes SELECT id, x0 + 1, x1 + 1 FROM boxes"],
    ["deletes rows", "DELETE FROM texts"],
    ["updates rows", "UPDATE texts SET body = 'z'"],
  ])("adds its rows to the count: %s", async (_name, body) => {
    await using opened = await openEngine(`${SCHEMA} CREATE TRIGGER t AFTER INSERT ON chain BEGIN ${body}; END`);
    const { rolledBack, confirmation } = change(opened, "INSERT INTO chain VALUES (0)");
    expect(rolledBack).toBe(true);
    expect(confirmation?.changes).toBeGreaterThanOrEqual(50);
  });

  test.each([
    "INSERT INTO words (words) VALUES ('delete-all')",
    "INSERT INTO words (words) SELECT 'delete-all'",
    "INSERT INTO words (words) VALUES ('optimize'), ('delete-all')",
    "INSERT INTO WORDS (words, rowid, body) SELECT 'delete', id, 'b' || id FROM numbers",
  ])("counts as one that clears the table: %s", async (body) => {
    const others = "CREATE TRIGGER other AFTER INSERT ON harmless BEGIN INSERT INTO words (words) VALUES ('delete-all'); END";
    await using opened = await openEngine(
      `${SCHEMA} CREATE TABLE plain (a); CREATE TRIGGER t AFTER INSERT ON plain BEGIN ${body}; END; ${others}`,
    );
    expect(change(opened, "INSERT INTO plain VALUES (0)")).toMatchObject({ rolledBack: true, confirmation: { changes: 50 } });
    expect(rowsOf(opened.file, "SELECT count(*) FROM words WHERE words MATCH 'b7'")).toEqual([[1]]);
  });

  test("counts only the row when it removes the index entry of a changed row", async () => {
    await using opened = await openEngine(`${SCHEMA}
      CREATE VIRTUAL TABLE names USING fts5(name, content='stock', content_rowid='id'); INSERT INTO names (names) VALUES ('rebuild');
      CREATE TRIGGER t AFTER UPDATE ON stock BEGIN
        INSERT INTO names (names, rowid, name) VALUES ('delete', old.id, old.name);
        INSERT INTO names (rowid, name) VALUES (new.id, new.name);
      END`);
    expect(change(opened, "UPDATE stock SET name = 'x' WHERE id <= 9")).toMatchObject({ confirmation: { changes: 9 } });
  });
});

describe("DROP TABLE", () => {
  test.each([
    ["children", { changes: 50, drops: "the table children" }],
    ["parents", { changes: 100, drops: "the table parents" }],
    ["selves", { changes: 0, drops: "the table selves" }],
    ["stock", { changes: 0, drops: "the table stock" }],
  ])("counts the rows of other tables that foreign keys change: %s", (table, confirmation) => {
    expect(change(unchanged, `DROP TABLE ${table}`)).toMatchObject({ rolledBack: true, confirmation });
    expect(contentOf(unchanged.file)).toEqual(before);
    expect(transact(unchanged, [`DROP TABLE ${table}`])).toMatchObject({ rolledBack: true, confirmation });
    expect(contentOf(unchanged.file)).toEqual(before);
  });

  test("needs confirmation again when foreign keys change more rows than confirmed", async () => {
    await using opened = await openEngine(SCHEMA);
    const reply = change(opened, "DROP TABLE parents", { maxChanges: 99, allowDrop: true });
    expect(reply).toMatchObject({ rolledBack: true, confirmation: { changes: 100 } });
    expect(transact(opened, ["DROP TABLE parents"], { maxChanges: 99, allowDrop: true })).toMatchObject({ rolledBack: true });
    expect(rowsOf(opened.file, "SELECT count(*) FROM children")).toEqual([[50]]);
  });

  test("reports the rows that foreign keys changed", async () => {
    await using opened = await openEngine(SCHEMA);
    expect(change(opened, "DROP TABLE parents", { dryRun: true })).toMatchObject({ changes: 0, alsoChanged: 100, rolledBack: true });
    expect(transact(opened, ["DROP TABLE parents"], { dryRun: true })).toMatchObject({ results: [{ changes: 0, alsoChanged: 100 }] });
    expect(change(opened, "DROP TABLE parents", { maxChanges: 100, allowDrop: true })).toMatchObject({
      alsoChanged: 100,
      rolledBack: false,
    });
    expect(rowsOf(opened.file, "SELECT count(*) FROM children")).toEqual([[0]]);
  });
});

test.each([
  ...["PRAGMA writable_schema = 1", "ATTACH 'x.db' AS x", "DETACH x", "VACUUM", "VACUUM INTO 'x.db'", "BEGIN", "SELECT 1"],
  ...[
    "DELETE FROM sqlite_schema",
    "UPDATE sqlite_master SET sql = ''",
    'DELETE FROM "sqlite_sequence"',
    "INSERT INTO pragma_table_info VALUES (1)",
  ],
  ...["DELETE FROM texts_data", "UPDATE words_docsize SET sz = 1", "CREATE TEMP TABLE t (a)", "EXPLAIN DELETE FROM stock"],
])("refuses a change by %s", (sql) => {
  expect(() => change(unchanged, sql, { maxChanges: null, allowDrop: true })).toThrow(
    /not allowed|belongs to|only reads|may not be modified/,
  );
});

test.each([
  "DELETE FROM stock RETURNING id",
  "WITH x AS (SELECT 1) UPDATE stock SET amount = 0 RETURNING id",
  "REPLACE INTO stock VALUES (1, 2, 3)",
])("refuses a reading statement by %s", (sql) => {
  expect(() => unchanged.engine.allowed(sql, "read")).toThrow("read_query only reads");
});
