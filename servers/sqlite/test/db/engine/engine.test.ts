// The statements that an engine keeps: those of the present schema only, and not too many.
import { expect, test } from "vitest";
import { openDatabase } from "../../support/databases.ts";
import { openEngine } from "../../support/engine.ts";

test.each(["read", "write"] as const)("checks a cached statement to %s again after another program changed the schema", async (access) => {
  await using opened = await openEngine("CREATE TABLE t (a); CREATE TABLE u (b)");
  const { engine, file } = opened;
  const sql = access === "read" ? "SELECT * FROM t" : "INSERT INTO t DEFAULT VALUES RETURNING *";
  const before = engine.allowed(sql, access);
  expect(before.columns.map(({ name }) => name)).toEqual(["a"]);
  expect(engine.allowed(sql, access)).toBe(before);
  using other = openDatabase(file);
  other.exec("INSERT INTO u VALUES (1)");
  expect(engine.allowed(sql, access)).toBe(before);
  other.exec("ALTER TABLE t ADD COLUMN c");
  const after = engine.allowed(sql, access);
  expect(after.columns.map(({ name }) => name)).toEqual(["a", "c"]);
  expect(engine.allowed(sql, access)).toBe(after);
  other.exec("DROP TABLE t");
  expect(() => engine.allowed(sql, access)).toThrow("no such table: t");
});

test("caches statements separately for reads and writes, up to a number and a length", async () => {
  await using opened = await openEngine("CREATE TABLE t (a)");
  const { engine } = opened;
  const [first, second] = ["SELECT 1", "SELECT 2"].map((sql) => engine.allowed(sql, "read"));
  const long = `SELECT '${"x".repeat(20_000)}'`;
  expect(engine.allowed(long, "read")).not.toBe(engine.allowed(long, "read"));
  for (let at = 0; at < 98; at += 1) engine.allowed(`SELECT 'kept', ${at}`, "read");
  expect([engine.allowed("SELECT 1", "read") === first, engine.allowed("SELECT 2", "read") === second]).toEqual([true, true]);
  engine.allowed("SELECT 'one too many'", "read");
  expect(engine.allowed("SELECT 2", "read")).toBe(second);
  expect(engine.allowed("SELECT 1", "read")).not.toBe(first);
  expect(() => engine.allowed("DELETE FROM t", "read")).toThrow("read_query only reads");
  expect(engine.allowed("DELETE FROM t", "write").statement.verb).toBe("DELETE");
  expect(() => engine.allowed("DELETE FROM t", "read")).toThrow("read_query only reads");
});
