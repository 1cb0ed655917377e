// view_rows and view_schema, which only views call.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openShop, type Shop } from "../support/shop.ts";
import { SHOP } from "../support/databases.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ sql: `${SHOP} CREATE TABLE "a <b>" ("c d" TEXT, "e" INT);`, lean: true });
});
afterAll(() => shop[Symbol.asyncDispose]());

describe("view_rows", () => {
  test("returns the rows that read_query returns, also with --lean", async () => {
    expect(await shop.structured("view_rows", { query: "SELECT id, name FROM customers WHERE id > ?", params: [1] })).toMatchObject({
      columns: [
        { name: "id", declaredType: "INTEGER" },
        { name: "name", declaredType: "TEXT" },
      ],
      rows: [
        [2, "Grace"],
        [3, "Edsger"],
      ],
      truncated: false,
    });
  });

  test("continues a page of read_query", async () => {
    const query = "SELECT name FROM customers ORDER BY id";
    const { nextCursor } = await shop.structured("read_query", { query, limit: 2 });
    expect(await shop.structured("view_rows", { query, limit: 2, cursor: nextCursor })).toMatchObject({ rows: [["Edsger"]] });
    expect(await shop.failure("view_rows", { query: "SELECT 1", cursor: nextCursor })).toContain("Invalid cursor");
  });

  test.each(["DELETE FROM orders", "PRAGMA user_version = 1", "ATTACH 'x' AS y", "SELECT * FROM dbstat"])(
    "refuses what read_query refuses: %s",
    async (query) => {
      expect(await shop.failure("view_rows", { query })).toBe(await shop.failure("read_query", { query }));
    },
  );

  test.each(["view_rows", "read_query"])("cuts a page of hundreds of columns to the size of a reply: %s", async (tool) => {
    const columns = Array.from({ length: 300 }, (_, at) => `i * ${at + 1} AS column_${at}`).join();
    const query = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) SELECT ${columns} FROM n`;
    await using whole = await openShop();
    expect(await whole.structured(tool, { query, limit: 1000 })).toMatchObject({ truncated: true, nextCursor: expect.any(String) });
  });

  test("refuses a negative limit", async () => {
    await expect(shop.client.call("view_rows", { query: "SELECT 1", limit: -1 })).resolves.toMatchObject({ isError: true });
  });
});

describe("view_schema", () => {
  const names = async (args: object): Promise<string[]> =>
    ((await shop.structured("view_schema", { ...args }))["tables"] as { name: string }[]).map(({ name }) => name);

  test("returns tables with columns and keys", async () => {
    const { tables, omitted } = await shop.structured("view_schema");
    expect(omitted).toBe(0);
    expect(tables).toEqual([
      {
        name: "a <b>",
        type: "table",
        columns: [
          { name: "c d", type: "TEXT" },
          { name: "e", type: "INT" },
        ],
        foreignKeys: [],
      },
      expect.objectContaining({ name: "customers" }),
      expect.objectContaining({ name: "notes", type: "virtual" }),
      {
        name: "orders",
        type: "table",
        columns: [
          { name: "id", type: "INTEGER", primaryKey: true },
          { name: "customer_id", type: "INTEGER", notNull: true },
          { name: "total", type: "REAL" },
          { name: "placed", type: "TEXT" },
        ],
        foreignKeys: [{ columns: ["customer_id"], table: "customers", references: ["id"] }],
      },
      expect.objectContaining({ name: "spending", type: "view" }),
    ]);
  });

  test("begins with the given tables and those next to them, letter case ignored", async () => {
    expect(await names({ tables: ["CUSTOMERS"] })).toEqual(["customers", "orders", "a <b>", "notes", "spending"]);
    expect(await names({ tables: ["none", "spending"], limit: 2 })).toEqual(["spending", "a <b>"]);
  });

  test("counts the tables that it leaves out", async () => {
    expect(await shop.structured("view_schema", { limit: 1 })).toMatchObject({ tables: [{ name: "a <b>" }], omitted: 4 });
    const wide = Array.from({ length: 400 }, (_, at) => `column_with_a_long_name_${at} TEXT`).join();
    await using other = await openShop({ sql: `CREATE TABLE small (a); CREATE TABLE wide (${wide});`, maxResultBytes: 10_000 });
    expect(await other.structured("view_schema")).toMatchObject({ tables: [{ name: "small" }], omitted: 1 });
  });

  test("lists the first columns of a wide table and counts the others", async () => {
    const wide = Array.from({ length: 400 }, (_, at) => `c${at}`).join();
    await using other = await openShop({ sql: `CREATE TABLE wide (${wide});` });
    const { tables } = await other.structured("view_schema");
    expect(tables).toMatchObject([{ columns: { length: 300 }, omittedColumns: 100 }]);
  });
});
