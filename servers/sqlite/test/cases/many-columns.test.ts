// Tables of 1,000 columns: a page has several rows, and a description comes in pages.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openShop, text, type Shop } from "../support/shop.ts";

const COLUMNS = Array.from({ length: 1000 }, (_, index) => `column_${index}`);
let shop: Shop;
beforeAll(async () => {
  shop = await openShop({
    sql: `CREATE TABLE wide (${COLUMNS.map((name) => `${name} TEXT`).join()});
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30) INSERT INTO wide (column_0, column_999) SELECT i, 'last' FROM n;`,
  });
});
afterAll(() => shop[Symbol.asyncDispose]());

test("read_query returns more than one row on a page, within the promised bytes", async () => {
  const result = await shop.call("read_query", { query: "SELECT * FROM wide" });
  expect((result.structuredContent as { rowCount: number }).rowCount).toBeGreaterThan(5);
  expect(Buffer.byteLength(text(result))).toBeLessThanOrEqual(64_000);
  expect(text(result)).toContain('{"columns":["column_0",');
});

test("read_query returns all rows over pages, the structured content as the text", async () => {
  const found: unknown[] = [];
  let cursor: unknown;
  do {
    const page = await shop.structured("read_query", { query: "SELECT * FROM wide", ...(cursor !== undefined && { cursor }) });
    found.push(...(page["rows"] as unknown[][]).map(([first]) => first));
    cursor = page["nextCursor"];
  } while (cursor !== undefined);
  expect(found).toEqual(Array.from({ length: 30 }, (_, index) => String(index + 1)));
});
