// Statements of other databases, and short messages of SQLite: the error names what to write instead.
import { gzipSync } from "node:zlib";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { otherFormat } from "../../../../src/db/engine/other-formats.ts";
import { openShop, type Shop } from "../../../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({
    sql: `CREATE TABLE "order" (id INTEGER PRIMARY KEY, "group" TEXT, amount INTEGER, day TEXT);
      CREATE TABLE "select all" (a); CREATE TABLE indexs (a);
      CREATE TABLE strict_one (n INTEGER) STRICT; INSERT INTO "order" VALUES (1, 'a', 9223372036854775807, '2024-01-02'), (2, 'b', 1, NULL);`,
    allowDestructive: true,
  });
});
afterAll(() => shop[Symbol.asyncDispose]());

test.each([
  ["SELECT * FROM order", 'If order is meant, write it in double quotes ("order"): order is a reserved word'],
  ['SELECT group FROM "order"', 'If group is meant, write it in double quotes ("group")'],
  ["SELECT * FROM Order Details", 'If order is meant, write it in double quotes ("order")'],
  ["SELECT * FROM select", 'If select all is meant, write it in double quotes ("select all").'],
  ["SELECT * FROM index", 'If indexs is meant, write it in double quotes ("indexs"): index is a reserved word'],
  [`SELECT POSITION('a' IN day) FROM "order"`, "SQLite has instr(text, part)"],
  [`SELECT SUBSTRING(day FROM 1 FOR 2) FROM "order"`, "Write substr(text, 1, n)"],
  [`SELECT TRIM(BOTH 'x' FROM day) FROM "order"`, "Use trim(text, 'x')"],
  ['SELECT * FROM "order" OFFSET 5', "LIMIT -1 OFFSET 5"],
  [`SELECT * FROM "order" o CROSS APPLY json_each(o.day)`, "FROM t, json_each(t.data) AS item"],
  [`SELECT group_concat(DISTINCT day, ';') FROM "order"`, "Leave the separator out"],
  [`SELECT row_number() OVER () AS r FROM "order" WHERE r = 1`, "Put the SELECT into a subquery"],
  [`SELECT * FROM "order" WHERE count(*) > 1`, "stands in HAVING, after GROUP BY"],
  [`SELECT count(DISTINCT id, day) FROM "order"`, "SELECT count(*) FROM (SELECT DISTINCT a, b FROM t)"],
  [`SELECT JSON_VALUE(day, '$.a') FROM "order"`, "SQLite has data ->> '$.a.b'"],
  ["SELECT version()", "SQLite has sqlite_version()"],
  ["SELECT LAST_INSERT_ID()", "SQLite has last_insert_rowid()"],
  ['SELECT * FROM "order" WHERE "group" = ‘a’', "Curly quotes are letters to SQL"],
  ["SELECT * FROM “order”", "Curly quotes are letters to SQL"],
  [`SELECT * FROM "order" WHERE "group" ILIKE 'A'`, "There is no ILIKE: LIKE ignores the case"],
  ['SELECT TOP 5 * FROM "order"', "There is no TOP: use LIMIT n at the end"],
  ["SELECT now()", "SQLite has datetime('now')"],
  [`SELECT date_trunc('month', day) FROM "order"`, "strftime('%Y-%m-01', day)"],
  [`SELECT DATEDIFF(day, day) FROM "order"`, "julianday(later) - julianday(earlier)"],
  [`SELECT day::date FROM "order"`, "CAST(value AS type)"],
  [`SELECT EXTRACT(YEAR FROM day) FROM "order"`, "There is no EXTRACT: use strftime('%Y', day)"],
  [`SELECT 'it\\'s'`, "double a quote inside a text ('it''s')"],
  [`SELECT day + INTERVAL '1 day' FROM "order"`, "There is no INTERVAL: use date(day, '+7 days')"],
  ['SELECT * FROM "order" FETCH FIRST 5 ROWS ONLY', "There is no FETCH FIRST: use LIMIT n OFFSET m"],
  ['SELECT sum(amount) FROM "order"', "A result is larger than 64 bits: use total(x) for a sum"],
  ['SELECT abs(-amount - 1) FROM "order" WHERE id = 1', "A result is larger than 64 bits"],
  [`SELECT * FROM "order" WHERE day REGEXP '^a'`, "GLOB or LIKE; there are no regular expressions"],
])("%s", async (query, hint) => {
  expect(await shop.failure("read_query", { query })).toContain(hint);
});

test.each([
  // PostgreSQL
  ['SELECT DISTINCT ON ("group") * FROM "order" ORDER BY "group"', "There is no DISTINCT ON: number the rows by row_number()"],
  [`SELECT * FROM "order" WHERE day ~ '^2024'`, "There are no regular expressions: use GLOB or LIKE"],
  ["SELECT table_name FROM information_schema.tables", "Use list_tables and describe_table"],
  ["SELECT * FROM pg_tables", "Use list_tables and describe_table"],
  ['SELECT age(day) FROM "order"', "julianday(later) - julianday(earlier)"],
  ['SELECT * FROM "order" WHERE id = ANY(ARRAY[1, 2])', "There are no arrays: use IN (1, 2)"],
  ['SELECT id FROM "order" LIMIT ALL', "Leave LIMIT ALL out"],
  ["SELECT * FROM generate_series(1, 10)", "WITH RECURSIVE n(i)"],
  ['SELECT * FROM "order" o, LATERAL (SELECT 1) x', "There is no LATERAL: use a subquery"],
  ['SELECT * FROM "order" TABLESAMPLE SYSTEM (10)', "ORDER BY random() LIMIT n"],
  ["SELECT to_timestamp(0)", "datetime(seconds, 'unixepoch')"],
  [`SELECT date_part('year', day) FROM "order"`, "strftime with %Y"],
  // MySQL
  ["SHOW TABLES", "Use list_tables for tables"],
  [`SELECT group_concat(day SEPARATOR ';') FROM "order"`, "group_concat(value, ', ')"],
  ['SELECT date_sub(day, INTERVAL 1 MONTH) FROM "order"', "There is no INTERVAL: use date(day"],
  ['SELECT id FROM "order" # the first', "A comment begins with --"],
  ['SELECT * FROM "order" WHERE day <=> NULL', "There is no <=>: use IS"],
  ["SELECT 7 DIV 2", "There is no DIV: / between integers"],
  ['SELECT day, sum(amount) FROM "order" GROUP BY day WITH ROLLUP', "There is no ROLLUP"],
  ['SELECT unix_timestamp(day) FROM "order"', "unixepoch(day)"],
  [`SELECT id FROM "order" WHERE day RLIKE 'a'`, "There are no regular expressions"],
  // T-SQL
  ['SELECT isnull(day, 0) FROM "order"', "ifnull(value, other)"],
  ['SELECT dateadd(month, -1, day) FROM "order"', "date(day, '+1 month')"],
  ['SELECT datepart(year, day) FROM "order"', "strftime with %Y"],
  ['SELECT convert(varchar, day, 112) FROM "order"', "CAST(value AS type)"],
  ['SELECT * FROM "order" WITH (NOLOCK)', "Leave the hint WITH (…) out"],
  ["SELECT N'text'", "Leave out an N before a text"],
  ["SELECT @@VERSION", "sqlite_version()"],
  ['SELECT * FROM "order" ORDER BY id OFFSET 10 ROWS FETCH NEXT 5 ROWS ONLY', "use LIMIT n OFFSET m at the end"],
  ['SELECT TRY_CAST(day AS int) FROM "order"', "CAST(value AS type)"],
  ['SELECT * FROM "order" CROSS APPLY (SELECT 1) x', "There is no LATERAL"],
  ['SELECT * INTO copy FROM "order"', "CREATE TABLE name AS SELECT"],
  ["SELECT * FROM sys.tables", "Use list_tables and describe_table"],
  ["DECLARE @x INT = 5", "DECLARE is not a statement of SQLite. Bind values with params"],
  ["EXEC sp_help", "There are no procedures"],
  // Oracle
  ["SELECT 1 FROM dual", "Leave FROM DUAL out"],
  ['SELECT * FROM "order" WHERE ROWNUM <= 5', "use LIMIT n at the end"],
  ["SELECT SYSDATE", "Use datetime('now'), which is UTC"],
  [`SELECT decode(id, 1, 'a') FROM "order"`, "CASE value WHEN 1"],
  ['SELECT id FROM "order" MINUS SELECT 1', "There is no MINUS: use EXCEPT"],
  ['SELECT * FROM "order" START WITH id = 1 CONNECT BY PRIOR id = id', "use WITH RECURSIVE"],
  ['SELECT * FROM "order" a, "order" b WHERE a.id = b.id(+)', "There is no (+): use LEFT JOIN"],
  ['SELECT order_seq.NEXTVAL FROM "order"', "There are no sequences"],
  // DuckDB
  ['SELECT * EXCLUDE (day) FROM "order"', "There is no * EXCLUDE: name the columns"],
  ['SELECT * FROM "order" QUALIFY row_number() OVER (ORDER BY id) = 1', "There is no QUALIFY"],
  ['SELECT day, count(*) FROM "order" GROUP BY ALL', "There is no BY ALL: name the columns"],
  ['FROM "order" SELECT id', "Begin with SELECT"],
  ["SELECT * FROM read_csv('a.csv')", "import_csv does"],
  ["SELECT strptime('1.2.2024', '%d.%m.%Y')", "date(text) for YYYY-MM-DD"],
  // Several
  [`SELECT '{}' #>> '{a}' FROM "order"`, "There is no #>"],
  [`SELECT id FROM "order" WHERE day @> '1'`, "There is no @>"],
  ['SELECT id FROM "order" WHERE id = 1 && id = 2', "There is no &&: write AND"],
  ["SELECT 2 ^ 3", "use power(a, b)"],
  ['SELECT first_value(id) IGNORE NULLS OVER () FROM "order"', "There is no IGNORE NULLS"],
  ['SELECT id FROM "order" FOR UPDATE', "Leave FOR UPDATE out"],
  ['SELECT id FROM "order" USE INDEX (i) WHERE id = 1', "Leave the hint out"],
  ['SELECT id FROM "order" EXCEPT ALL SELECT 1', "give each row once"],
  [`SELECT day AT TIME ZONE 'UTC' FROM "order"`, "There are no time zones"],
  ['SELECT id, FROM "order"', "Leave the comma before FROM out"],
  ['SELECT COUNT_IF(id > 1) FROM "order"', "count(*) FILTER (WHERE condition)"],
  ['SELECT JSON_ARRAYAGG(id) FROM "order"', "json_group_array(value)"],
  ['SUMMARIZE "order"', "Use describe_table"],
  ['SELECT arg_max(id, amount) FROM "order"', "a bare column is that of the row with the maximum"],
])("names what SQLite has in place of %s", async (query, hint) => {
  expect(await shop.failure("read_query", { query })).toContain(hint);
});

test.each([
  ['UPDATE "order" o JOIN strict_one s ON s.n = o.id SET day = 1', "UPDATE takes no JOIN: write UPDATE t SET … FROM other"],
  [`INSERT INTO "order" (id) VALUES (1) ON DUPLICATE KEY UPDATE day = 'x'`, "ON CONFLICT (key) DO UPDATE SET"],
  ['DELETE o FROM "order" o', "DELETE takes one table"],
  ["TRUNCATE TABLE strict_one", "Use DELETE FROM without WHERE"],
  ["MERGE INTO strict_one USING strict_one ON n = n", "Use INSERT … ON CONFLICT DO UPDATE"],
])("names what SQLite has in place of %s", async (query, hint) => {
  expect(await shop.failure("write_query", { query })).toContain(hint);
});

test.each([
  ["SELECT replace(day, 'a', 'b') x y FROM \"order\"", "EXCLUDE"],
  ['SELECT amount AS top, id FROM "order" WHERE top > 1 LIMIT 1 1', "TOP"],
  ['SELECT id AS minus FROM "order" LIMIT 1 1', "MINUS"],
])("takes no ordinary name for that of another database: %s", async (query, hint) => {
  expect(await shop.failure("read_query", { query })).not.toContain(hint);
});

test.each([
  [`ALTER TABLE "order" ADD COLUMN at TEXT DEFAULT (datetime('now'))`, "Add the column without a default and UPDATE it"],
  ["INSERT INTO strict_one VALUES ('x')", "The table is STRICT: pass a value of that type"],
  [`INSERT INTO "order" (id) VALUES ('x')`, "An INTEGER PRIMARY KEY, LIMIT and OFFSET take integers only"],
  ["CREATE TABLE t (a NVARCHAR(MAX))", "Write TEXT, which has no limit of length"],
  ["CREATE TABLE t (a ENUM('x', 'y'))", "There is no ENUM: write TEXT CHECK (name IN ('a', 'b'))"],
  ["CREATE TABLE t (a TIMESTAMP DEFAULT NOW())", "stands in brackets: DEFAULT (datetime('now'))"],
  ["CREATE TABLE t (a TIMESTAMP DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP)", "There is no ON UPDATE for a column"],
  ["CREATE TABLE t (a INTEGER GENERATED ALWAYS AS IDENTITY)", "Write INTEGER PRIMARY KEY, which numbers rows by itself"],
  ["CREATE TABLE t (a VARCHAR(9) CHARACTER SET utf8)", "Options of MySQL are not known here"],
  ["CREATE TABLE t (id INTEGER PRIMARY KEY AUTO_INCREMENT)", "Write INTEGER PRIMARY KEY, which numbers rows by itself"],
])("%s", async (query, hint) => {
  expect(await shop.failure("write_query", { query })).toContain(hint);
});

test("names no reserved word that nothing is called", async () => {
  expect(await shop.failure("read_query", { query: "SELECT * FROM where" })).not.toContain("reserved");
});

describe("a file of another program", () => {
  test.each<[string, Buffer | string]>([
    ["compressed by gzip", gzipSync(randomBytes(100))],
    ["a spreadsheet or another zip archive", `PK\x03\x04${"x".repeat(40)}`],
    ["a pointer of Git LFS", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n"],
    ["a dump of SQL statements", "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE t(a);\n"],
    ["a dump of SQL statements", "-- MySQL dump 10.13\n\nCREATE TABLE t(a);"],
    ["a text", "id,name\n1,Ann\n2,Bob\n3,Cleo\n"],
    ["or it is encrypted", Buffer.concat([Buffer.from([0x9f, 0x80]), randomBytes(100)])],
    ["or it is encrypted", "short"],
  ])("is %s", async (what, content) => {
    await using folder = tempFolder();
    writeFileSync(folder.at("data.db"), content);
    expect(otherFormat(folder.at("data.db"))).toMatch(new RegExp(`^The file is not a SQLite database.*${what}.*\\. [A-Z].*\\.$`, "s"));
  });
});

test.each([
  ["INSERT INTO strict_one VALUES (1, 2)", "name those that get a value: INSERT INTO strict_one (n)"],
  ["INSERT INTO strict_one SET n = 1", "Write INSERT INTO t (name) VALUES"],
  ["INSERT IGNORE INTO strict_one VALUES (1)", "Write INSERT OR IGNORE"],
  ["UPDATE strict_one s SET s.n = 1", "an alias follows AS"],
  ["UPDATE strict_one SET strict_one.n = 1", "names after SET have no table"],
  ["UPDATE strict_one, indexs SET n = 1", "UPDATE takes one table"],
  ["CREATE OR REPLACE VIEW v AS SELECT 1", "DROP VIEW IF EXISTS and CREATE VIEW"],
  ["CREATE INDEX ON strict_one (n)", "An index needs a name"],
  ["CREATE INDEX i ON strict_one (n) INCLUDE (n)", "SQLite has no INCLUDE"],
  ['ALTER TABLE "order" ADD COLUMN m INT NOT NULL', "NOT NULL DEFAULT 0"],
  ["ALTER TABLE indexs ADD b INT, ADD c INT", "one statement for each in run_transaction"],
  ["ALTER TABLE indexs ADD CONSTRAINT c UNIQUE (a)", "Use CREATE UNIQUE INDEX"],
  ["ALTER TABLE indexs ADD FOREIGN KEY (a) REFERENCES strict_one (n)", "Keys are part of CREATE TABLE"],
  ["CREATE DATABASE x", "A file is one database"],
  ["CREATE FUNCTION f() RETURNS INT", "tables, indexes, views and triggers only"],
  ["CREATE TRIGGER t AFTER INSERT ON indexs FOR EACH ROW EXECUTE FUNCTION f()", "A trigger holds its statements"],
  [`UPDATE "order" SET day = json_set('{}', 'a', 1)`, "A path begins with $"],
  ["INSERT INTO select all VALUES (1)", 'If select all is meant, write it in double quotes ("select all").'],
])("%s", async (query, hint) => {
  expect(await shop.failure("write_query", { query })).toContain(hint);
});
