// Statements of other databases, and short messages of SQLite: the error names what to write instead.
import { gzipSync } from "node:zlib";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { otherFormat } from "../../../src/db/engine/other-formats.ts";
import { openShop, type Shop } from "../../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({
    sql: `CREATE TABLE "order" (id INTEGER PRIMARY KEY, "group" TEXT, amount INTEGER, day TEXT);
      CREATE TABLE strict_one (n INTEGER) STRICT; INSERT INTO "order" VALUES (1, 'a', 9223372036854775807, '2024-01-02'), (2, 'b', 1, NULL);`,
    allowDestructive: true,
  });
});
afterAll(() => shop[Symbol.asyncDispose]());

test.each([
  ["SELECT * FROM order", 'If order is a name, write it in double quotes ("order")'],
  ['SELECT group FROM "order"', 'If group is a name, write it in double quotes ("group")'],
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
  ['SELECT sum(amount) FROM "order"', "The sum is larger than 64 bits: use total(x)"],
  [`SELECT * FROM "order" WHERE day REGEXP '^a'`, "GLOB or LIKE; there are no regular expressions"],
])("%s", async (query, hint) => {
  expect(await shop.failure("read_query", { query })).toContain(hint);
});

test.each([
  [`ALTER TABLE "order" ADD COLUMN at TEXT DEFAULT (datetime('now'))`, "Add the column without a default and UPDATE it"],
  ["INSERT INTO strict_one VALUES ('x')", "The table is STRICT: pass a value of that type"],
  [`INSERT INTO "order" (id) VALUES ('x')`, "An INTEGER PRIMARY KEY, LIMIT and OFFSET take integers only"],
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
