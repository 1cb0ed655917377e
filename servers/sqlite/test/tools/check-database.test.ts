// check_database where much is wrong: all of it is told, or that there is more.
import { expect, test } from "vitest";
import { openShop, text } from "../support/shop.ts";

test("a foreign key that fits nothing is told beside the rows that break others", async () => {
  await using shop = await openShop({
    sql: `PRAGMA foreign_keys = OFF;
      CREATE TABLE parent (a); CREATE TABLE misfit (x REFERENCES parent (a)); INSERT INTO misfit VALUES (1);
      CREATE TABLE other (id INTEGER PRIMARY KEY); CREATE TABLE child (id INTEGER PRIMARY KEY, o REFERENCES other);
      INSERT INTO child VALUES (9007199254740993, 5);`,
  });
  expect(await shop.told("check_database")).toMatchObject({
    ok: false,
    quick_check: ["ok"],
    foreign_keys: [
      { table: "child", rowid: "9007199254740993", parent: "other", fkid: 0 },
      { table: "misfit", error: 'foreign key mismatch - "misfit" referencing "parent"' },
    ],
  });
});

test("where there is more than is told the reply says so", async () => {
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
  expect(await shop.told("check_database", { checks: ["quick_check"] })).not.toHaveProperty("truncated");
});
