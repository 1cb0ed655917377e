// check_database with many problems: it reports all of them, or that there are more.
import { statSync } from "node:fs";
import { expect, test } from "vitest";
import { openShop, text } from "../support/shop.ts";

test("check_database reports invalid foreign keys beside rows that violate others", async () => {
  await using shop = await openShop({
    sql: `PRAGMA foreign_keys = OFF;
      CREATE TABLE parent (a); CREATE TABLE misfit (x REFERENCES parent (a)); INSERT INTO misfit VALUES (1);
      CREATE TABLE other (id INTEGER PRIMARY KEY); CREATE TABLE child (id INTEGER PRIMARY KEY, o REFERENCES other);
      INSERT INTO child VALUES (9007199254740993, 5);`,
  });
  expect(await shop.structured("check_database")).toMatchObject({
    ok: false,
    quick_check: ["ok"],
    foreign_keys: [
      { table: "child", columns: ["o"], parent: "other", rows: 1, values: [5], rowids: ["9007199254740993"] },
      { table: "misfit", error: 'foreign key mismatch - "misfit" referencing "parent"' },
    ],
  });
});

test("check_database gives a query for the rows of a broken foreign key that it does not show", async () => {
  const four = (values: string): string => `VALUES ${Array.from({ length: 4 }, (_, at) => values.replaceAll("#", String(at + 7))).join()}`;
  await using shop = await openShop({
    sql: `PRAGMA foreign_keys = OFF;
      CREATE TABLE a (x TEXT COLLATE NOCASE, y INT, PRIMARY KEY (x, y)) WITHOUT ROWID; INSERT INTO a VALUES ('k', 1);
      CREATE TABLE pair (id INTEGER PRIMARY KEY, x TEXT, y INT, FOREIGN KEY (x, y) REFERENCES a); INSERT INTO pair (x, y) ${four("('k', #)")}, ('K', 1), (NULL, 3);
      CREATE TABLE "lost key" (z REFERENCES gone); INSERT INTO "lost key" ${four("(#)")}, (NULL);
      CREATE TABLE without (z INT REFERENCES pair(id), w PRIMARY KEY) WITHOUT ROWID; INSERT INTO without ${four("(#0, #)")}, (1, 1);
      CREATE TABLE p (id INTEGER PRIMARY KEY, above REFERENCES p); INSERT INTO p ${four("(#, #0)")}, (1, 7);`,
  });
  const { foreign_keys: keys } = await shop.structured("check_database", { checks: ["foreign_keys"] });
  const found = keys as { table: string; rows: number; query: string }[];
  const counts = Object.fromEntries(found.map(({ table, rows }) => [table, rows]));
  expect(counts).toEqual({ "lost key": 4, p: 4, pair: 4, without: 4 });
  for (const { query, rows } of found) expect(await shop.structured("read_query", { query }), query).toMatchObject({ rowCount: rows });
});

test("check_database marks a truncated list of problems", async () => {
  const many = Array.from({ length: 101 }, (_, number) => `CREATE TABLE t${number} (a);`).join("\n");
  await using shop = await openShop({
    sql: `PRAGMA foreign_keys = OFF; ${many}
      CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE kid (p REFERENCES p);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 101) INSERT INTO kid SELECT i FROM n;`,
  });
  const result = await shop.call("check_database", { checks: ["statistics"] });
  expect(result.structuredContent).toMatchObject({ truncated: true });
  expect(text(result)).toContain("truncated: true");
  const keys = await shop.call("check_database", { checks: ["foreign_keys", "quick_check"] });
  expect(text(keys)).toBe(
    'not ok: foreign_keys\nforeign_keys: [{"table":"kid","columns":["p"],"parent":"p","rows":101,"values":[1,2,3],"rowids":[1,2,3],"query":"SELECT * FROM \\"kid\\" WHERE \\"kid\\".\\"p\\" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \\"p\\" AS p WHERE p.\\"id\\" = \\"kid\\".\\"p\\")"}]\nquick_check: ["ok"]',
  );
});

test("check_database names the largest tables and indexes, and what a compact copy saves", async () => {
  await using shop = await openShop({
    sql: `CREATE TABLE small (a); CREATE TABLE large (a); CREATE INDEX large_a ON large (a);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO large SELECT printf('%.20d', i) FROM n;
      DELETE FROM large WHERE a % 2;`,
  });
  const { size } = (await shop.structured("check_database", { checks: ["size"] })) as { size: Record<string, unknown> };
  expect(size["largest"]).toEqual([
    { table: "large", index: "large_a", bytes: expect.any(Number) },
    { table: "large", bytes: expect.any(Number) },
    { table: "small", bytes: 4096 },
    { table: "sqlite_schema", bytes: 4096 },
  ]);
  await shop.call("backup_database", { path: "copy.db", compact: true });
  const saved = Number(size["bytes"]) - statSync(shop.folder.at("copy.db")).size;
  expect(saved).toBeGreaterThan(100_000);
  expect(Number(size["compactCopySavesUpTo"])).toBeGreaterThanOrEqual(saved);
  for (const columns of ["*", "name, pgsize"])
    expect(await shop.failure("read_query", { query: `SELECT ${columns} FROM dbstat` })).toBe(
      'The table dbstat is not allowed. check_database with checks ["size"] has the sizes of tables and indexes.',
    );
});
