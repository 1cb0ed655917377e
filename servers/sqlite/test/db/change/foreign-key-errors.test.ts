// Which foreign keys an error names, and what it suggests.
import { describe, expect, test } from "vitest";
import { rowsOf } from "../../support/databases.ts";
import { change, openEngine, transact } from "../../support/engine.ts";

const SCHEMA = `
  CREATE TABLE country (id INTEGER PRIMARY KEY); INSERT INTO country VALUES (1), (2);
  CREATE TABLE "odd town" (a, "b c", PRIMARY KEY (a, "b c")); INSERT INTO "odd town" VALUES (1, 1), (2, 2);
  CREATE TABLE person (
    id INTEGER PRIMARY KEY, born REFERENCES country (id), lives REFERENCES country ON DELETE RESTRICT, a, b,
    FOREIGN KEY (a, b) REFERENCES "odd town");
  INSERT INTO person VALUES (1, 1, NULL, NULL, NULL), (2, NULL, 2, 2, 2);
  CREATE TABLE pet (id INTEGER PRIMARY KEY, owner REFERENCES person); INSERT INTO pet VALUES (1, 2);
  CREATE TABLE late (c REFERENCES country DEFERRABLE INITIALLY DEFERRED);
  CREATE TABLE alone (id INTEGER PRIMARY KEY, self REFERENCES alone); INSERT INTO alone VALUES (1, 1), (2, 1);
  CREATE TABLE noted (line); CREATE TRIGGER on_noted AFTER INSERT ON noted BEGIN INSERT INTO pet (owner) VALUES (new.line); END;
`;

const error = (keys: string, remedy: string, missing?: string): string =>
  `FOREIGN KEY constraint failed: ${keys}, and a row would refer to ${missing === undefined ? "none that exists" : `${missing}, which does not exist`}. ${remedy}`;
const BORN = "person (born) refers to country (id)";
const LIVES = "person (lives) refers to country (id)";
const TOWN = "person (a, b) refers to odd town (a, b c)";
const OWNER = "pet (owner) refers to person (id)";
const insert = (table: string): string => `Insert the row of ${table} first.`;
const remove = (table: string): string => `Delete or change the rows of ${table} first, or refer to an existing row.`;

test.each([
  ["INSERT INTO person (born) VALUES (9)", error(BORN, insert("country"), "9")],
  ["INSERT INTO person (lives) VALUES (9)", error(LIVES, insert("country"), "9")],
  ["INSERT INTO person (born, lives) VALUES (9, 9)", error(`${LIVES}, or ${BORN}`, insert("country"), "9")],
  ["INSERT INTO PERSON (a, b) VALUES (1, 9)", error(TOWN, insert("odd town"), "1, 9")],
  ["REPLACE INTO person (id, born) VALUES (5, 9)", error(BORN, insert("country"), "9")],
  ["INSERT INTO person (born) VALUES (9) RETURNING id", error(BORN, insert("country"), "9")],
  ["UPDATE person SET born = 9", error(BORN, remove("person"))],
  ["UPDATE pet SET owner = 9", error(OWNER, remove("pet"), "9")],
  ["DELETE FROM country WHERE id = 1", error(BORN, remove("person"))],
  ["DELETE FROM country WHERE id = 2", error(LIVES, remove("person"))],
  [`UPDATE "odd town" SET a = 9 WHERE a = 2`, error(TOWN, remove("person"))],
  ["DELETE FROM person WHERE id = 2", error(OWNER, remove("pet"))],
  ["DELETE FROM alone WHERE id = 1", error("alone (self) refers to alone (id)", remove("alone"))],
  ["INSERT INTO noted VALUES (77)", error(OWNER, insert("person"), "77")],
  ["DROP TABLE person", error(OWNER, remove("pet"))],
])("names the key: %s", async (sql, expected) => {
  await using opened = await openEngine(SCHEMA);
  const before = rowsOf(opened.file, "SELECT * FROM person");
  for (const dryRun of [false, true]) {
    expect(() => change(opened, sql, { maxChanges: null, allowDrop: true, dryRun })).toThrow(
      expect.objectContaining({ code: "sql", message: expected }),
    );
    expect(opened.engine.db.pragma("defer_foreign_keys", { simple: true })).toBe(0);
    expect(opened.engine.db.inTransaction).toBe(false);
  }
  expect(() => transact(opened, ["SELECT 1", sql], { maxChanges: null, allowDrop: true })).toThrow(
    `Statement 2: ${expected} All statements were rolled back.`,
  );
  expect(rowsOf(opened.file, "SELECT * FROM person")).toEqual(before);
});

describe("a key that is checked when the change ends", () => {
  const LATE = error("late (c) refers to country (id)", insert("country"));
  test.each(["INSERT INTO late VALUES (9)", "WITH x AS (SELECT 9 AS c) INSERT INTO late SELECT c FROM x"])(
    "appears in the error: %s",
    async (sql) => {
      await using opened = await openEngine(SCHEMA);
      for (const dryRun of [false, true]) {
        // A single INSERT is checked when it ends, with its values; a transaction at COMMIT.
        expect(() => change(opened, sql, { dryRun })).toThrow(dryRun ? LATE : LATE.replace("none that exists", "9, which does not exist"));
        expect(() => transact(opened, [sql, "SELECT 1"], { dryRun })).toThrow(expect.objectContaining({ message: LATE }));
      }
      expect(rowsOf(opened.file, "SELECT * FROM late")).toEqual([]);
    },
  );

  test("is left out of the error if it was broken before", async () => {
    await using opened = await openEngine(SCHEMA);
    const { db } = opened.engine;
    db.exec("PRAGMA foreign_keys = OFF; INSERT INTO late VALUES (7); INSERT INTO person (born) VALUES (7); PRAGMA foreign_keys = ON");
    expect(() => change(opened, "INSERT INTO person (lives) VALUES (9)")).toThrow(error(LIVES, insert("country"), "9"));
    expect(change(opened, "INSERT INTO late VALUES (1)", { dryRun: true })).toMatchObject({ changes: 1 });
  });
});

test("leaves other errors unchanged", async () => {
  await using opened = await openEngine(SCHEMA);
  expect(() => change(opened, "INSERT INTO noted VALUES (1 + abs(-9223372036854775808))")).toThrow(
    expect.objectContaining({ message: "integer overflow" }),
  );
});

test("finds the failed key in a database with views and virtual tables", async () => {
  await using opened = await openEngine(`${SCHEMA} CREATE VIEW other AS SELECT * FROM pet; CREATE VIRTUAL TABLE words USING fts5(body)`);
  expect(() => change(opened, "INSERT INTO pet (owner) VALUES (9)")).toThrow(error(OWNER, insert("person"), "9"));
});

test("names at most five keys, and clips long names", async () => {
  const long = "c".repeat(300);
  const keys = Array.from({ length: 7 }, (_, index) => `k${index} REFERENCES p`);
  await using opened = await openEngine(
    `CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE many (${keys.join(", ")}); CREATE TABLE one ("${long}" REFERENCES p)`,
  );
  const message = (sql: string): string => {
    try {
      change(opened, sql);
    } catch (failure) {
      return String(failure);
    }
    return "none";
  };
  expect(message("INSERT INTO many VALUES (1, 1, 1, 1, 1, 1, 1)").match(/refers to p/g)).toHaveLength(5);
  expect(message("INSERT INTO one VALUES (1)")).toContain(`one (${"c".repeat(70)}`);
  expect(message("INSERT INTO one VALUES (1)")).not.toContain("c".repeat(100));
});

test("names a key to a column other than the primary key by that column", async () => {
  await using opened = await openEngine("CREATE TABLE p (id INTEGER PRIMARY KEY, code UNIQUE); CREATE TABLE c (x REFERENCES p (code))");
  expect(() => change(opened, "INSERT INTO c VALUES (1)")).toThrow(error("c (x) refers to p (code)", insert("p"), "1"));
});

test("leaves SQLite's own error for a key to columns without a unique index", async () => {
  await using opened = await openEngine(
    "CREATE TABLE p (a); CREATE TABLE c (x REFERENCES p (a)); CREATE TABLE d (y REFERENCES p (a) DEFERRABLE INITIALLY DEFERRED)",
  );
  expect(() => change(opened, "INSERT INTO c VALUES (1)")).toThrow("foreign key mismatch");
});
