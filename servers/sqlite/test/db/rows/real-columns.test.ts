// A REAL keeps its decimal point in JSON, whatever the statement and the type of its column.
import { expect, test } from "vitest";
import { runQuery } from "../../../src/db/engine/query.ts";
import { holdsReals } from "../../../src/db/rows/real-columns.ts";
import { openEngine } from "../../support/engine.ts";

const SCHEMA = `
  CREATE TABLE p (id INTEGER PRIMARY KEY, price REAL, amount NUMERIC, free, word TEXT, size DOUBLE PRECISION);
  INSERT INTO p VALUES (1, 1, 2.0, 3.0, 4.0, 5), (2, 1.5, 2.5, 3, '4', -0.0), (3, 1e20, 1e300, 1e15, NULL, 9e999), (9007199254740993, 2, 2, 2, 2, 2);
  CREATE TABLE s (a ANY, b REAL) STRICT; INSERT INTO s VALUES (1.0, 1), (1, 2.0);
  CREATE VIEW v AS SELECT price, price * 2 AS twice, id * 2 AS whole FROM p;
`;

test.each<[sql: string, json: string]>([
  ["SELECT price, amount, free, word, size FROM p WHERE id = 1", '[1.0,2,3.0,"4.0",5.0]'],
  ["SELECT price, amount, free, word, size FROM p WHERE id = 2", '[1.5,2.5,3,"4",0.0]'],
  ["SELECT price, amount, free, word, size FROM p WHERE id = 3", '[100000000000000000000.0,1e+300,1000000000000000.0,null,"Infinity"]'],
  ["SELECT id, price, size FROM p WHERE id > 3", '["9007199254740993",2.0,2.0]'],
  ["SELECT price, id FROM p WHERE id < 3", "[1.0,1],[1.5,2]"],
  ["SELECT * FROM s", "[1.0,1.0],[1,2.0]"],
  ["SELECT * FROM v WHERE price = 1", "[1.0,2.0,2]"],
  ["SELECT count(*), sum(price), avg(id), total(id), max(id) FROM p WHERE id < 3", "[2,2.5,1.5,3.0,2]"],
  ["SELECT 1, 1.0, CAST(1 AS REAL), 3 / 2, 4 / 2.0, round(2.4)", "[1,1.0,1.0,1,2.0,2.0]"],
  ["VALUES (1.0, 1)", "[1.0,1]"],
])("gives %s as JSON", async (sql, json) => {
  await using opened = await openEngine(SCHEMA, { write: false });
  for (const _ of ["first", "again"]) {
    let given = "";
    const output = { arrays: (more: string) => (given += more), objects: () => undefined, restart: () => (given = "") };
    const limits = { maxRows: 10, maxBytes: 100_000, maxTextLength: 100, maxBlobBytes: 10 };
    runQuery(opened.engine, { op: "read", sql, limits, skip: 0 }, output);
    expect(given).toBe(json);
  }
});

test.each([
  ["DECIMAL(10,2)", "never"],
  ["FLOATING POINT", "never"],
  ["FLOAT", "always"],
  ["BLOB", "either"],
  ["VARCHAR(3)", "never"],
] as const)("knows that %s holds reals: %s", (declaredType, expected) => {
  expect(holdsReals({ name: "a", declaredType })).toBe(expected);
});
