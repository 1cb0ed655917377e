// check_database with many problems: it reports all of them, or that there are more.
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
      { table: "child", rowid: "9007199254740993", parent: "other", fkid: 0 },
      { table: "misfit", error: 'foreign key mismatch - "misfit" referencing "parent"' },
    ],
  });
});

test("check_database marks a truncated list of problems", async () => {
  const many = Array.from({ length: 101 }, (_, number) => `CREATE TABLE t${number} (a);`).join("\n");
  await using shop = await openShop({
    sql: `PRAGMA foreign_keys = OFF; ${many}
      CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE kid (p REFERENCES p);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 101) INSERT INTO kid SELECT i FROM n;`,
  });
  for (const checks of [["foreign_keys"], ["statistics"]]) {
    const result = await shop.call("check_database", { checks });
    expect(result.structuredContent).toMatchObject({ truncated: true });
    expect(text(result)).toContain("truncated: true");
  }
  expect(await shop.structured("check_database", { checks: ["quick_check"] })).not.toHaveProperty("truncated");
});
