// Confirmation counts every row that a statement updates, replaces or deletes, whatever its verb.
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openShop, type Shop } from "../support/shop.ts";
import { rowsOf } from "../support/databases.ts";

const NUMBERS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)";
const SCHEMA = `
  CREATE TABLE stock (id INTEGER PRIMARY KEY, name TEXT, amount INTEGER);
  CREATE TABLE codes (id INTEGER PRIMARY KEY, code TEXT UNIQUE, other TEXT UNIQUE);
  CREATE TABLE keyed (code TEXT PRIMARY KEY, amount INTEGER) WITHOUT ROWID;
  CREATE TABLE replacing (id INTEGER PRIMARY KEY, code TEXT UNIQUE ON CONFLICT REPLACE);
  CREATE TABLE parents (id INTEGER PRIMARY KEY, name TEXT);
  CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents(id) ON DELETE CASCADE);
  CREATE TABLE audit (at TEXT);
  CREATE TABLE audited (id INTEGER PRIMARY KEY, name TEXT);
  CREATE TRIGGER audited_insert AFTER INSERT ON audited BEGIN INSERT INTO audit VALUES (new.name); END;
  CREATE TABLE clearing (id INTEGER PRIMARY KEY);
  CREATE TRIGGER clearing_insert AFTER INSERT ON clearing BEGIN DELETE FROM stock WHERE id > 50; END;
  CREATE TABLE pricing (id INTEGER PRIMARY KEY);
  CREATE TRIGGER pricing_insert AFTER INSERT ON pricing BEGIN UPDATE stock SET amount = 0 WHERE id > 60; END;
  CREATE TABLE copying (id INTEGER PRIMARY KEY);
  CREATE TRIGGER copying_insert AFTER INSERT ON copying BEGIN INSERT OR REPLACE INTO keyed SELECT code, -1 FROM keyed LIMIT 140; END;
  CREATE VIEW stock_view AS SELECT * FROM stock;
  CREATE TRIGGER stock_view_insert INSTEAD OF INSERT ON stock_view BEGIN UPDATE stock SET amount = new.amount; END;
  CREATE TABLE docs (id INTEGER PRIMARY KEY, body TEXT);
  CREATE VIRTUAL TABLE docs_index USING fts5(body, content='docs', content_rowid='id');
  CREATE TRIGGER docs_insert AFTER INSERT ON docs BEGIN INSERT INTO docs_index(rowid, body) VALUES (new.id, new.body); END;
  CREATE TRIGGER docs_update AFTER UPDATE ON docs BEGIN
    INSERT INTO docs_index(docs_index, rowid, body) VALUES ('delete', old.id, old.body);
    INSERT INTO docs_index(rowid, body) VALUES (new.id, new.body);
  END;
  CREATE VIRTUAL TABLE texts USING fts5(body);
  CREATE VIRTUAL TABLE words USING fts5(body, content='');
  ${NUMBERS} INSERT INTO stock SELECT i, 'item ' || i, i FROM n;
  ${NUMBERS} INSERT INTO codes SELECT i, 'code ' || i, 'other ' || i FROM n;
  ${NUMBERS} INSERT INTO keyed SELECT 'code ' || i, i FROM n;
  ${NUMBERS} INSERT INTO replacing SELECT i, 'code ' || i FROM n;
  INSERT INTO parents VALUES (1, 'one'), (2, 'two');
  ${NUMBERS} INSERT INTO children SELECT i, 1 + i % 2 FROM n;
  ${NUMBERS} INSERT INTO docs SELECT i, 'body ' || i FROM n;
  ${NUMBERS} INSERT INTO texts(rowid, body) SELECT i, 'body ' || i FROM n;
  ${NUMBERS} INSERT INTO words(rowid, body) SELECT i, 'body ' || i FROM n;
`;

const FROM_STOCK = "SELECT id, name, amount + 1 FROM stock";

const NEEDS_CONFIRMATION: [string, string, number][] = [
  ["an upsert", `INSERT INTO stock ${FROM_STOCK} WHERE true ON CONFLICT DO UPDATE SET amount = excluded.amount`, 300],
  [
    "an upsert that also adds rows",
    `${NUMBERS} INSERT INTO stock SELECT i + 150, 'x', 1 FROM n WHERE true ON CONFLICT(id) DO UPDATE SET amount = 7`,
    150,
  ],
  ["an upsert with RETURNING", `INSERT INTO stock ${FROM_STOCK} WHERE true ON CONFLICT DO UPDATE SET amount = 7 RETURNING id`, 300],
  [
    "an upsert of a table WITHOUT ROWID",
    "INSERT INTO keyed SELECT code, 0 FROM keyed WHERE true ON CONFLICT DO UPDATE SET amount = 0",
    300,
  ],
  ["REPLACE", `REPLACE INTO stock ${FROM_STOCK}`, 300],
  ["INSERT OR REPLACE", `INSERT OR REPLACE INTO stock ${FROM_STOCK} WHERE id <= 120`, 120],
  ["REPLACE of a table WITHOUT ROWID", "REPLACE INTO keyed SELECT code, 0 FROM keyed", 300],
  [
    "REPLACE where each row replaces two",
    "REPLACE INTO codes SELECT i.id + 1000, i.code, o.other FROM codes i, codes o WHERE i.id <= 60 AND o.id = i.id + 100",
    120,
  ],
  ["REPLACE with a cascade", "REPLACE INTO parents VALUES (1, 'new')", 151],
  ["a constraint with ON CONFLICT REPLACE", "INSERT INTO replacing SELECT id + 1000, code FROM replacing", 300],
  ["UPDATE OR REPLACE", "UPDATE OR REPLACE codes SET code = 'code ' || (id + 100), other = 'other ' || (id + 200) WHERE id <= 60", 180],
  ["a trigger that deletes", "INSERT INTO clearing VALUES (1)", 250],
  ["a trigger that updates", "INSERT INTO pricing VALUES (1)", 240],
  ["a trigger that replaces", "INSERT INTO copying VALUES (1)", 140],
  ["a trigger of a view", "INSERT INTO stock_view VALUES (1, 'x', 2)", 300],
  ["REPLACE in a virtual table", "REPLACE INTO texts(rowid, body) SELECT rowid, 'new' FROM texts", 300],
  ["an upsert of an indexed table", "INSERT INTO docs SELECT id, 'new' FROM docs WHERE true ON CONFLICT DO UPDATE SET body = 'new'", 300],
];

const NEEDS_NONE: [string, string][] = [
  ["an INSERT of many rows", `${NUMBERS} INSERT INTO stock SELECT i + 1000, 'x', 1 FROM n`],
  ["an INSERT OR IGNORE", `INSERT OR IGNORE INTO stock ${FROM_STOCK}`],
  ["an INSERT OR REPLACE of new rows", `${NUMBERS} INSERT OR REPLACE INTO stock SELECT i + 2000, 'x', 1 FROM n`],
  ["an upsert of new rows", `${NUMBERS} INSERT INTO stock SELECT i + 3000, 'x', 1 FROM n WHERE true ON CONFLICT DO UPDATE SET amount = 0`],
  ["an upsert that does nothing", `INSERT INTO stock ${FROM_STOCK} WHERE true ON CONFLICT DO NOTHING`],
  ["an INSERT of new rows into a table WITHOUT ROWID", `${NUMBERS} INSERT INTO keyed SELECT 'new ' || i, i FROM n`],
  ["a trigger that only adds rows", `${NUMBERS} INSERT INTO audited SELECT i, 'x' FROM n`],
  ["a trigger that keeps a full-text index", `${NUMBERS} INSERT INTO docs SELECT i + 1000, 'new' FROM n`],
  ["an UPDATE of few rows in a full-text index", "UPDATE docs SET body = 'new' WHERE id <= 60"],
  ["REPLACE of few rows", `REPLACE INTO stock ${FROM_STOCK} WHERE id <= 100`],
];

const dump = (file: string): unknown =>
  ["stock", "codes", "keyed", "replacing", "parents", "children", "clearing", "pricing", "copying", "docs", "texts"].map((table) =>
    rowsOf(file, `SELECT * FROM ${table}`),
  );

const openStock = (allowDestructive = false): Promise<Shop> => openShop({ sql: SCHEMA, allowDestructive });

/** Refuses every change, so that its content stays. */
let refusing: Shop;
let before: unknown;
beforeAll(async () => {
  refusing = await openStock();
  before = dump(refusing.file);
});
afterAll(() => refusing[Symbol.asyncDispose]());

describe.each([
  ["write_query", (query: string) => ({ query })],
  ["run_transaction", (query: string) => ({ statements: [{ query: "INSERT INTO audit VALUES ('x')" }, { query }] })],
] as const)("%s", (tool, args) => {
  let adding: Shop;
  beforeAll(async () => {
    adding = await openStock();
  });
  afterAll(() => adding[Symbol.asyncDispose]());

  test.each(NEEDS_CONFIRMATION)("needs confirmation for %s", async (_name, sql, count) => {
    expect(await refusing.failure(tool, args(sql))).toMatch(
      new RegExp(`would change ${count} rows of shop \\(.+\\): the user must confirm that`),
    );
    expect(dump(refusing.file)).toEqual(before);
  });

  test.each(NEEDS_NONE)("needs no confirmation for %s", async (_name, sql) => {
    await adding.call(tool, args(sql));
  });

  test("makes all of these changes with --allow-destructive", async () => {
    await using free = await openStock(true);
    for (const [, sql] of NEEDS_CONFIRMATION) await free.call(tool, args(sql));
    expect(rowsOf(free.file, "SELECT count(*), min(amount), max(amount) FROM stock")).not.toEqual([[300, 1, 300]]);
  });
});

test("write_query needs confirmation for a command that clears a full-text table", async () => {
  expect(await refusing.failure("write_query", { query: "INSERT INTO words(words) VALUES ('delete-all')" })).toContain(
    "the user must confirm",
  );
  expect(rowsOf(refusing.file, "SELECT count(*) FROM words WHERE words MATCH 'body'")).toEqual([[300]]);
});

test("run_transaction adds up the rows that its statements replace", async () => {
  const statements = [1, 2].map(() => ({ query: `REPLACE INTO stock ${FROM_STOCK} WHERE id <= 60` }));
  expect(await refusing.failure("run_transaction", { statements })).toContain("would change 120 rows of shop");
});

test("write_query returns the rows of RETURNING once when the rows of the table are counted", async () => {
  await using adding = await openStock();
  const query = `${NUMBERS} INSERT OR REPLACE INTO stock SELECT i + 1000, 'x', 1 FROM n RETURNING id`;
  const { changes, returning } = await adding.structured("write_query", { query });
  expect([changes, (returning as { rows: unknown[] }).rows.length]).toEqual([300, 300]);
});

test("import_csv needs confirmation when a constraint replaces rows", async () => {
  const codes = Array.from({ length: 300 }, (_, index) => `${index + 1000},code ${index + 1}`);
  writeFileSync(refusing.folder.at("codes.csv"), ["id,code", ...codes, ""].join("\n"));
  const args = { path: "codes.csv", table: "replacing" };
  expect(await refusing.failure("import_csv", args)).toContain("The import would change 300 rows of shop: the user must confirm that");
  expect(dump(refusing.file)).toEqual(before);
  expect(await refusing.structured("import_csv", { ...args, dry_run: true })).toMatchObject({ rows: 300, rolledBack: true });
});

test("import_csv needs no confirmation when it only adds rows", async () => {
  await using adding = await openStock();
  const rows = Array.from({ length: 300 }, (_, index) => `${index + 1000},body`);
  writeFileSync(adding.folder.at("docs.csv"), ["id,body", ...rows, ""].join("\n"));
  expect(await adding.structured("import_csv", { path: "docs.csv", table: "docs" })).toMatchObject({ rows: 300 });
});
