// Replies of search_text are bounded, and continue where they end.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openShop, text, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
  const rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)";
  shop = await openShop({
    sql: `CREATE TABLE notes (id INTEGER PRIMARY KEY, body); ${rows} INSERT INTO notes SELECT i, replace(printf('%.80c needle %.110c', 'x', 'x'), 'x', char(27)) FROM n;
      CREATE TABLE "${"t".repeat(500)}" (v); CREATE TABLE "${"u".repeat(500)}" (v);`,
  });
});
afterAll(() => shop[Symbol.asyncDispose]());

test("keeps a default reply within 64,000 bytes, with its cursor first", async () => {
  const result = await shop.call("search_text", { query: "needle" });
  const { matches, truncated, nextCursor } = result.structuredContent as { matches: unknown[]; truncated: boolean; nextCursor: string };
  expect([matches.length, truncated]).toEqual([50, true]);
  expect(Buffer.byteLength(text(result))).toBeLessThanOrEqual(64_000);
  expect(text(result).split("\n")[0]).toBe(`[truncated: call again with cursor: "${nextCursor}"]`);
  expect(text(result).indexOf(nextCursor)).toBeLessThan(1500);
});

test("finds every row once over pages", async () => {
  const found: unknown[] = [];
  let cursor: unknown;
  do {
    const page = await shop.structured("search_text", { query: "needle", limit: 150, ...(cursor !== undefined && { cursor }) });
    found.push(...(page["matches"] as { rowid: number }[]).map(({ rowid }) => rowid));
    cursor = page["nextCursor"];
  } while (cursor !== undefined);
  expect(found).toEqual(Array.from({ length: 400 }, (_, index) => index + 1));
});

test("refuses a cursor of another search", async () => {
  const { nextCursor } = await shop.structured("search_text", { query: "needle" });
  for (const args of [{ query: "hay" }, { query: "needle", tables: ["notes"] }])
    expect(await shop.failure("search_text", { ...args, cursor: nextCursor })).toContain("Invalid cursor: it does not belong to this call");
});

test("keeps a small limit on replies", async () => {
  await using small = await openShop({
    sql: "CREATE TABLE n (v); WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 300) INSERT INTO n SELECT 'needle ' || i FROM c",
    maxResultBytes: 20_000,
  });
  const result = await small.call("search_text", { query: "needle", limit: 300 });
  expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(20_000);
  expect(result.structuredContent).toMatchObject({ truncated: true, nextCursor: expect.any(String) });
});
