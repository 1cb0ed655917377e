// Errors as messages with a next step.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { explainError } from "../../../../src/db/engine/errors/error-messages.ts";
import { DbError } from "../../../../src/db/errors.ts";
import { change, openEngine, type OpenedEngine } from "../../../support/engine.ts";

const withCode = (code: string, message = "as the system says"): Error => Object.assign(new Error(message), { code });

describe("a system error", () => {
  test.each([
    ["ENOSPC", "too-large", "the disk is full"],
    ["EDQUOT", "too-large", "the disk quota is used up"],
    ["EACCES", "read-only", "Access denied: the operating system does not allow this use"],
    ["EPERM", "read-only", "Access denied: the operating system does not allow this use"],
    ["EROFS", "read-only", "on a read-only disk"],
    ["ENOENT", "not-found", "no longer exists"],
    ["SQLITE_BUSY", "busy", "another program holds a lock"],
    ["SQLITE_BUSY_SNAPSHOT", "busy", "another program holds a lock"],
    ["SQLITE_LOCKED_VTAB", "sql", "reads a table while it changes it"],
    ["SQLITE_TOOBIG", "too-large", "larger than SQLite allows"],
    ["SQLITE_NOMEM", "too-large", "needs more memory than it may use"],
    ["SQLITE_NOTADB", "unreadable", "not a SQLite database"],
    ["SQLITE_CORRUPT_VTAB", "unreadable", "the rest of the database works"],
    ["SQLITE_CORRUPT", "damaged", "Use check_database for details"],
    ["SQLITE_FULL", "too-large", "sorting needs more space"],
    ["SQLITE_READONLY_ROLLBACK", "needs-recovery", "A program was killed while it changed the database"],
    ["SQLITE_READONLY_RECOVERY", "needs-recovery", "A program was killed while it changed the database"],
    ["SQLITE_READONLY_CANTINIT", "needs-recovery", "in WAL mode, and its files beside it cannot be created"],
    ["SQLITE_READONLY_DIRECTORY", "read-only", "in WAL mode also to read it"],
    ["SQLITE_READONLY_DBMOVED", "read-only", "The database or its folder may not be written to"],
    ["SQLITE_CANTOPEN_ISDIR", "read-only", "The database cannot be opened"],
    ["SQLITE_PERM", "read-only", "does not allow the database to be opened"],
    ["SQLITE_IOERR_READ", "unreadable", "The disk reported an error"],
    ["SQLITE_INTERRUPT", "timeout", "The statement was stopped"],
  ])("reads %s as %s", (code, kind, message) => {
    const explained = explainError(withCode(code), "", undefined);
    expect(explained).toBeInstanceOf(DbError);
    expect(explained).toMatchObject({ code: kind, expose: true, message: expect.stringContaining(message) as string });
  });

  test("of an unknown kind keeps SQLite's message without its tail", () => {
    expect(explainError(withCode("SQLITE_MISMATCH"), "", undefined)).toMatchObject({ code: "sql", message: "as the system says" });
    const { message } = explainError(withCode("SQLITE_ERROR", "x".repeat(5000)), "", undefined) as Error;
    expect(message.length).toBeLessThanOrEqual(510);
  });

  test.each([
    new DbError("refused", "as it is"),
    new Error("of faulty code"),
    withCode("ECONNRESET"),
    new TypeError("Cannot read properties of undefined"),
    new TypeError("x is not a function"),
    "no error",
    undefined,
  ])("%s stays unchanged", (error) => {
    expect(explainError(error, "", undefined)).toBe(error);
  });

  test.each([new RangeError("Too few parameter values were provided"), new TypeError("SQLite3 can only bind numbers")])(
    "%s of the driver becomes one of the statement",
    (error) => {
      expect(explainError(error, "", undefined)).toMatchObject({ code: "sql", message: error.message });
      expect(explainError(Object.assign(error, { code: "ERR_OF_NODE" }), "", undefined)).toBe(error);
    },
  );
});

describe("a wrong name", () => {
  let opened: OpenedEngine;
  beforeAll(async () => {
    const many = Array.from({ length: 25 }, (_, index) => `q${String.fromCharCode(97 + index)}zzzzzz`);
    opened = await openEngine(`CREATE TABLE customers (id, name); CREATE TABLE costumers (id); CREATE TABLE orders (total, placed);
      CREATE VIEW spending AS SELECT total FROM orders; CREATE TABLE wide (${many.join(", ")}); CREATE INDEX by_total ON orders (total)`);
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  function failure(sql: string): string {
    try {
      change(opened, sql, { maxChanges: null, allowDrop: true });
    } catch (error) {
      return (explainError(error, sql, opened.engine.db) as Error).message;
    }
    throw new Error("it succeeded");
  }

  test.each([
    ["UPDATE customers SET nmae = 1", "no such column: nmae; did you mean name?"],
    ["UPDATE customers SET name = customers.nmae", "no such column: customers.nmae; did you mean name?"],
    ["INSERT INTO customers (nmae) VALUES (1)", "table customers has no column named nmae; did you mean name?"],
    ["UPDATE CUSTOMERS SET zzzzz = 1", "no such column: zzzzz; the columns are id, name"],
    ["```sql\nUPDATE customers SET zzzzz = 1\n```", "no such column: zzzzz; the columns are id, name"],
    ["DELETE FROM custumers", "no such table: custumers; did you mean costumers or customers?"],
    ["DELETE FROM main.ordres", "no such table: main.ordres; did you mean orders?"],
    ["DELETE FROM qqqqqqqq", "no such table: qqqqqqqq; use list_tables to find its name"],
    ["DROP VIEW spendings", "no such view: spendings; did you mean spending?"],
    ["DROP VIEW qqqqqqqq", "no such view: qqqqqqqq"],
    ["DROP INDEX by_totals", "no such index: by_totals"],
    ["DROP TRIGGER none", "no such trigger: none"],
    ["DELETE FROM orders WHERE lenght(total) > 1", "no such function: lenght; did you mean length?"],
    ["DELETE FROM orders WHERE qqqqqqqq(1)", "no such function: qqqqqqqq"],
    ["DELETE FROM orders WHERE", "incomplete input"],
    [
      "DELETE FROM orders WHERE EXISTS (SELECT id FROM customers c JOIN main.costumers)",
      "ambiguous column name: id; say which: c.id, costumers.id",
    ],
    [
      'DELETE FROM orders WHERE 1 IN (SELECT id FROM customers AS a, customers AS "b c")',
      'ambiguous column name: id; say which: a.id, "b c".id',
    ],
  ])("%j fails with a next step", (sql, message) => {
    expect(failure(sql)).toBe(message);
  });

  const NO_CHANGE = ". SQLite cannot change the type or default of a column";

  test.each([
    ["ALTER TABLE orders ALTER COLUMN total TYPE TEXT", true],
    ["alter table orders modify total TEXT", true],
    ["ALTER TABLE orders CHANGE total sum TEXT", true],
    ["ALTER TABLE alter ADD COLUMN", false],
    ["ALTER TABLE orders RENAME COLUMN", false],
    ["ALTER VIEW orders ALTER COLUMN total", false],
    ["DROP TABLE orders ALTER COLUMN total", false],
    ["ALTER TABLE orders ALTER", false],
    ["ALTER TABLE orders DROP COLUMN change", false],
  ])("%j names how to change a column: %s", (sql, isNamed) => {
    expect(failure(sql).includes(NO_CHANGE)).toBe(isNamed);
  });

  test("of a text in double quotes has the suggestion of SQLite only", () => {
    expect(failure('DELETE FROM customers WHERE name = "nmae"')).toMatch(/^no such column: "nmae" - should this be .*\?$/);
  });

  test("lists twenty columns at most", () => {
    expect(failure("UPDATE wide SET x = 1")).toMatch(/^no such column: x; the columns are (?:q\wzzzzzz, ){19}qtzzzzzz$/);
  });

  test("is reported without suggestions when the schema cannot be read", async () => {
    const other = await openEngine("CREATE TABLE t (a)");
    await other[Symbol.asyncDispose]();
    const error = withCode("SQLITE_ERROR", "no such table: u");
    expect(explainError(error, "", other.engine.db)).toMatchObject({ message: "no such table: u" });
  });
});
