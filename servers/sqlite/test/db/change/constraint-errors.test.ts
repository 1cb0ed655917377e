// What an error of a failed constraint names besides the constraint: values and rows.
import { expect, test } from "vitest";
import { rowsOf } from "../../support/databases.ts";
import { change, openEngine, transact } from "../../support/engine.ts";

const SCHEMA = `
  CREATE TABLE member (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT UNIQUE, age CHECK (age > 0));
  INSERT INTO member VALUES (1, 'Ada', 'ada@x', 36), (2, 'Bo', 'bo@x', 40), (3, 'Cy', NULL, 9);
  CREATE UNIQUE INDEX "one name" ON member (lower(name) DESC) WHERE age > 10;
  CREATE TABLE pair (a, b COLLATE NOCASE, PRIMARY KEY (a, b)); INSERT INTO pair VALUES (1, 'x'), (1, 'y');
  CREATE TABLE raw (v BLOB, "no te"); CREATE UNIQUE INDEX raw_v ON raw (v); INSERT INTO raw VALUES (x'00', 1);
  CREATE TABLE doubled (id INTEGER PRIMARY KEY, mail);
  INSERT INTO doubled VALUES (7, 'a'), (8, 'b'), (9, 'A'), (10, NULL), (11, NULL), (12, 'b'), (13, 'b');
  CREATE TABLE log (line UNIQUE); INSERT INTO log VALUES ('Eve');
  CREATE TRIGGER logged AFTER INSERT ON member BEGIN INSERT INTO log VALUES (new.name); END;
`;
const ADD = (key: string): string => `Update that row, or add ON CONFLICT (${key}) DO UPDATE SET … or DO NOTHING`;
const OTHER = "Change that row first, or choose another value";

test.each<[sql: string, error: string]>([
  ["INSERT INTO member VALUES (2, 'x', 'x', 1)", `UNIQUE constraint failed: member.id: 2, the row with id 2 has it already. ${ADD("id")}`],
  [
    "INSERT INTO member SELECT id + 9, name || id, email, age FROM member WHERE id > 1",
    `UNIQUE constraint failed: member.email: "bo@x", the row with id 2 has it already. ${ADD("email")}`,
  ],
  [
    "UPDATE member SET email = 'bo@x' WHERE id = 1",
    `UNIQUE constraint failed: member.email: "bo@x", the row with id 2 has it already. ${OTHER}`,
  ],
  ["UPDATE member SET email = 'z'", `UNIQUE constraint failed: member.email: "z", another row of this change has it too. ${OTHER}`],
  [
    "INSERT INTO member VALUES (5, 'ADA', 'x', 20) RETURNING id",
    `UNIQUE constraint failed: index 'one name': "ada", the row with id 1 has it already. ${ADD("lower(name)")}`,
  ],
  [
    "INSERT INTO pair VALUES (1, 'X')",
    `UNIQUE constraint failed: pair.a, pair.b: 1, "X", the row with rowid 1 has it already. ${ADD("a, b")}`,
  ],
  ["INSERT INTO raw VALUES (x'00', 2)", `UNIQUE constraint failed: raw.v: a BLOB, the row with rowid 1 has it already. ${ADD("v")}`],
  [
    "INSERT INTO member VALUES (9, 'Eve', 'e', 1)",
    `UNIQUE constraint failed: log.line: "Eve", the row with rowid 1 has it already. ${ADD("line")}`,
  ],
  ["INSERT INTO member VALUES (9, NULL, 'e', 1)", "NOT NULL constraint failed: member.name"],
  [
    "INSERT INTO member VALUES (8, 'Di', 'd', 1), (9, NULL, 'e', 1)",
    'NOT NULL constraint failed: member.name in the row (id 9, name NULL, email "e", age 1)',
  ],
  ["UPDATE member SET age = age - 9", 'CHECK constraint failed: age > 0 in the row (id 3, name "Cy", email NULL, age 0)'],
  [
    "CREATE UNIQUE INDEX one_mail ON doubled (mail COLLATE NOCASE)",
    'UNIQUE constraint failed: doubled.mail: 2 repeated values, 5 rows: "b" in 3 rows (id 8, 12, 13); "a" in 2 rows (id 7, 9). Change or delete rows first, or leave the values out by WHERE',
  ],
  [
    "CREATE UNIQUE INDEX one_mail ON doubled (upper(mail)) WHERE id < 13 -- not the last",
    `UNIQUE constraint failed: index 'one_mail': 2 repeated values, 4 rows: "A" in 2 rows (id 7, 9); "B" in 2 rows (id 8, 12). Change or delete rows first, or leave the values out by WHERE`,
  ],
])("names rows and values: %s", async (sql, error) => {
  await using opened = await openEngine(SCHEMA);
  for (const dryRun of [false, true])
    expect(() => change(opened, sql, { maxChanges: null, dryRun })).toThrow(expect.objectContaining({ code: "sql", message: error }));
  expect(() => transact(opened, ["SELECT 1", sql], { maxChanges: null })).toThrow(
    `Statement 2: ${error}. All statements were rolled back.`,
  );
  expect(opened.engine.db.inTransaction).toBe(false);
  expect(rowsOf(opened.file, "SELECT count(*), sum(age) FROM member")).toEqual([[3, 85]]);
});

test("names the row of an earlier statement of the transaction", async () => {
  await using opened = await openEngine(SCHEMA);
  expect(() => transact(opened, ["INSERT INTO pair VALUES (5, 'n')", "INSERT INTO pair VALUES (5, 'N')"])).toThrow(
    'pair.a, pair.b: 5, "N", the row with rowid 3 has it already.',
  );
});

test("leaves the rest of a long list of values out", async () => {
  const rows = Array.from({ length: 40 }, (_, index) => `(${index + 1}, ${index % 5})`).join();
  await using opened = await openEngine(`CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES ${rows}`);
  expect(() => change(opened, "CREATE UNIQUE INDEX i ON t (a)")).toThrow(
    "5 repeated values, 40 rows: 0 in 8 rows (id 1, 6, 11, 16, 21, …); 1 in 8 rows (id 2, 7, 12, 17, 22, …); 2 in 8 rows (id 3, 8, 13, 18, 23, …); and 2 more values.",
  );
});

test("the function that notes new rows does nothing in a statement of the caller", async () => {
  await using opened = await openEngine(SCHEMA);
  expect(() => change(opened, "INSERT INTO pair VALUES (1, 'x')")).toThrow("UNIQUE");
  expect(opened.engine.db.prepare("SELECT note_new_row(0, 'x')").pluck().get()).toBeNull();
});
