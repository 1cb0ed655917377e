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

test("describe_table returns every column once over pages within the promised bytes", async () => {
  const names: string[] = [];
  let cursor: unknown;
  do {
    const result = await shop.call("describe_table", { table_name: "wide", ...(cursor !== undefined && { cursor }) });
    expect(Buffer.byteLength(text(result))).toBeLessThanOrEqual(64_000);
    const page = result.structuredContent as { columns: { name: string }[]; nextCursor?: string };
    names.push(...page.columns.map(({ name }) => name));
    cursor = page.nextCursor;
    if (cursor !== undefined) expect(text(result)).toMatch(/^\[truncated: more columns follow; call again with cursor: "/);
  } while (cursor !== undefined);
  expect(names).toEqual(COLUMNS);
});

test("describe_table keeps many long indexes and triggers within the promised bytes", async () => {
  const parts = Array.from(
    { length: 250 },
    (_, index) =>
      `CREATE INDEX i${index} ON t(a) WHERE a <> '${"x".repeat(200)}'; CREATE TRIGGER t${index} AFTER INSERT ON t BEGIN SELECT '${"y".repeat(200)}'; END;`,
  );
  await using other = await openShop({ sql: `BEGIN; CREATE TABLE t (a); ${parts.join("\n")} COMMIT;` });
  const result = await other.call("describe_table", { table_name: "t" });
  expect(Buffer.byteLength(text(result))).toBeLessThanOrEqual(64_000);
  expect(result.structuredContent).toMatchObject({ columns: [{ name: "a" }], truncated: true });
});

test("describe_table refuses the cursor of another table", async () => {
  const { nextCursor } = await shop.structured("describe_table", { table_name: "wide" });
  expect(await shop.failure("describe_table", { table_name: "other", cursor: nextCursor })).toContain("Invalid cursor");
});
