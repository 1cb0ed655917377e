// Several statements in one call: a result each, in the shape of read_query, and the changes of each.
import type { Json } from "@oarlock/server-kit/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openShop, text, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop[Symbol.asyncDispose]());

describe("read_query", () => {
  const read = async (query: string, more: Json = {}): Promise<unknown[]> => {
    const { further, ...first } = await shop.structured("read_query", { query, ...more });
    return [first, ...((further ?? []) as Json[])];
  };

  test("gives a result for each statement", async () => {
    const query = "SELECT id, name FROM customers; -- and\nSELECT sum(total) AS sum FROM orders WHERE id < 0;\nVALUES ('a;b')";
    expect(await read(query)).toMatchObject([
      {
        columns: [{ name: "id" }, { name: "name" }],
        rows: [
          [1, "Ada"],
          [2, "Grace"],
          [3, "Edsger"],
        ],
        rowCount: 3,
        truncated: false,
      },
      { columns: [{ name: "sum" }], rows: [[null]] },
      { rows: [["a;b"]] },
    ]);
    expect(text(await shop.call("read_query", { query }))).toBe(
      [
        'Statement 1:\n[{"id":1,"name":"Ada"},{"id":2,"name":"Grace"},{"id":3,"name":"Edsger"}]',
        'Statement 2:\n[{"sum":null}]',
        'Statement 3:\n[{"column1":"a;b"}]',
      ].join("\n"),
    );
  });

  test("takes one statement with semicolons in texts as one", async () => {
    expect(await read("SELECT 'a; b' AS x ; ;")).toEqual([expect.objectContaining({ rows: [["a; b"]] })]);
  });

  test.each<[query: string, params: unknown, rows: unknown[]]>([
    ["SELECT ?; SELECT ?, ?", [1, 2, "x"], [[[1]], [[2, "x"]]]],
    ["SELECT :a; SELECT 0; SELECT :b, :a", { a: 1, b: 2 }, [[[1]], [[0]], [[2, 1]]]],
    ["SELECT :a; SELECT :a", '{"a": 5}', [[[5]], [[5]]]],
    ["SELECT ?1, ?1; SELECT ?2, ?1", [1, 2, 3], [[[1, 1]], [[3, 2]]]],
  ])("binds the values of %s", async (query, params, rows) => {
    expect(await read(query, { params })).toMatchObject(rows.map((one) => ({ rows: one })));
  });

  test.each<[query: string, more: Json, message: unknown]>([
    [
      "SELECT 1; DELETE FROM orders",
      {},
      "No results, because of statement 2: read_query only reads: this is DELETE. Use write_query to change data.",
    ],
    [
      "PRAGMA journal_mode; SELECT nme FROM customers WHERE id = ?",
      { params: [1] },
      expect.stringMatching(/^Statement 1: PRAGMA journal_mode is not allowed: .*\nStatement 2: no such column: nme; did you mean name\?$/),
    ],
    ["SELECT ?; SELECT ?", { params: [1] }, "Invalid params: the statements have 2 parameters together, but params holds 1 value."],
    ["SELECT :a; SELECT 1", { params: { b: 1 } }, "Invalid params: no statement has the parameter b."],
    [Array.from({ length: 21 }, () => "SELECT 1").join(";"), {}, "Too many statements: 21, the limit is 20. Call several times."],
  ])("refuses %s", async (query, more, message) => {
    expect(await shop.failure("read_query", { query, ...more })).toEqual(message);
  });

  test.each([
    ["SELECT nme FROM customers", "no such column: nme; did you mean name?"],
    ["PRAGMA journal_mode", "PRAGMA journal_mode is not allowed: only pragmas that read are"],
    ["SELECT abs(-9223372036854775807 - 1)", "integer overflow"],
  ])("names %s, and gives what the other statements gave", async (failing, message) => {
    const [first, ...others] = (await shop.failure("read_query", { query: `SELECT 1 AS a; ${failing}; PRAGMA table_info(orders)` })).split(
      "\n",
    );
    expect(first).toContain(`Statement 2: ${message}`);
    expect(others).toEqual([
      "The other statements were run:",
      "Statement 1:",
      '[{"a":1}]',
      "Statement 3:",
      expect.stringMatching(/^\[\{"cid":0/),
    ]);
    for (const query of [`${failing}; SELECT 1 AS a`, `SELECT 1 AS a; ${failing}`])
      expect(await shop.failure("read_query", { query })).toContain("The other statements were run:");
  });

  test("names what each statement reads as a text", async () => {
    const query = 'SELECT 1; SELECT name FROM customers WHERE name = "Ada"; SELECT 2';
    expect(text(await shop.call("read_query", { query }))).toContain(
      'Statement 2:\n[{"name":"Ada"}]\n[Not names here, so read as texts: \'Ada\']\nStatement 3:',
    );
  });

  test("shares one budget", async () => {
    const wide = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 5000) SELECT i, printf('%0100d', i) FROM c";
    const reply = await shop.call("read_query", { query: `${wide}; ${wide}; SELECT 1` });
    expect(Buffer.byteLength(text(reply))).toBeLessThan(63_000);
    expect(text(reply)).toMatch(/Statement 2: \[truncated after \d+ rows; run it alone for the rest\]/);
    expect(text(reply)).toContain('Statement 3:\n[{"1":1}]');
  });

  test("keeps the limit of rows and the format for each", async () => {
    const reply = await shop.call("read_query", {
      query: "SELECT id FROM customers ORDER BY id; SELECT 1.0 AS a",
      limit: 2,
      format: "csv",
    });
    expect(text(reply)).toBe(
      "Statement 1: [truncated after 2 rows; run it alone for the rest]\nid\r\n1\r\n2\r\n\nStatement 2:\na\r\n1.0\r\n",
    );
  });
});

test("run_transaction gives the changes and the rows of each statement", async () => {
  const statements = [
    { query: "INSERT INTO orders (customer_id, total) VALUES (1, 5), (2, 6)" },
    { query: "UPDATE orders SET total = 0 WHERE id = 4711" },
    { query: "SELECT id, total FROM orders WHERE total < 7" },
    { query: "INSERT INTO orders (customer_id, total) VALUES (3, 7) RETURNING total" },
  ];
  const reply = await shop.call("run_transaction", { statements, dry_run: false });
  expect(text(reply)).toBe(
    [
      "4 statements, 3 rows changed (INSERT 2, UPDATE 0, INSERT 1).",
      "Statement 3:",
      '[{"id":4,"total":5.0},{"id":5,"total":6.0}]',
      "Statement 4:",
      '[{"total":7.0}]',
    ].join("\n"),
  );
  expect(reply.structuredContent).toMatchObject({
    results: [
      { verb: "INSERT", changes: 2 },
      { verb: "UPDATE", changes: 0 },
      {
        verb: "SELECT",
        changes: 0,
        columns: [{ name: "id" }, { name: "total" }],
        rows: [
          [4, 5],
          [5, 6],
        ],
        rowCount: 2,
        truncated: false,
      },
      { verb: "INSERT", changes: 1, rows: [[7]] },
    ],
    changes: 3,
    rolledBack: false,
  });
});
