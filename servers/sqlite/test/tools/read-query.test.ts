// read_query: values, parameters, pages, limits and error messages.
import type { Json } from "@oarlock/server-kit/protocol";
import { waitUntil } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { existsSync, renameSync } from "node:fs";
import { toParams } from "../../src/argument-schemas.ts";
import { makeDatabase, openDatabase } from "../support/databases.ts";
import { openShop, text, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop[Symbol.asyncDispose]());

/** Only a server that does not notice the change takes so long. */
const HANG_MS = 30_000;

const MANY = "WITH RECURSIVE c(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM c WHERE i < 250) SELECT i, 'row ' || i AS name FROM c";

test("deviation 'json': read_query returns rows as arrays, and as objects in the text", async () => {
  const result = await shop.call("read_query", { query: "SELECT id, name, email FROM customers WHERE id < 3" });
  expect(result.structuredContent).toEqual({
    columns: [
      { name: "id", declaredType: "INTEGER" },
      { name: "name", declaredType: "TEXT" },
      { name: "email", declaredType: "TEXT" },
    ],
    rows: [
      [1, "Ada", "ada@example.org"],
      [2, "Grace", "grace@example.org"],
    ],
    rowCount: 2,
    truncated: false,
    elapsedMs: expect.any(Number),
  });
  expect(JSON.parse(text(result))).toEqual([
    { id: 1, name: "Ada", email: "ada@example.org" },
    { id: 2, name: "Grace", email: "grace@example.org" },
  ]);
});

test.each([
  ["WITH a AS (SELECT 1 AS x) SELECT x FROM a", [[1]]],
  ["VALUES (1), (2)", [[1], [2]]],
  ["/* first */ -- then\n SELECT 1;", [[1]]],
  ["EXPLAIN QUERY PLAN SELECT * FROM orders", expect.any(Array)],
  ["SELECT 1 UNION ALL SELECT 2", [[1], [2]]],
  ["SELECT name FROM customers WHERE id = 1 UNION ALL SELECT name FROM customers WHERE id = 2", [["Ada"], ["Grace"]]],
  ["SELECT count(*) > 1 FROM (SELECT 1 UNION ALL SELECT 2)", [[1]]],
  ["WITH replace AS (SELECT 7 AS x) SELECT x FROM replace", [[7]]],
])("deviation 'reads': read_query runs %s", async (query, rows) => {
  expect(await shop.rows(query)).toEqual(rows);
});

test("read_query returns every row of EXPLAIN", async () => {
  const codes = (await shop.rows("EXPLAIN SELECT 1")) as unknown[][];
  expect(codes.map(([, opcode]) => opcode)).toEqual(expect.arrayContaining(["Init", "ResultRow", "Halt"]));
  const plan = (await shop.rows("EXPLAIN QUERY PLAN SELECT 1 UNION ALL SELECT 2")) as unknown[][];
  expect(plan.map(([, , , detail]) => detail)).toEqual(expect.arrayContaining(["COMPOUND QUERY", "UNION ALL"]));
});

test("read_query returns an empty list without rows", async () => {
  const result = await shop.call("read_query", { query: "SELECT 1 AS a WHERE 0" });
  expect(result).toMatchObject({ content: [{ text: "[]" }], structuredContent: { rows: [], rowCount: 0, truncated: false } });
});

test("read_query returns both columns of one name, with distinct names in the text", async () => {
  const result = await shop.call("read_query", { query: "SELECT 1 AS a, 2 AS a, 3 AS a_2" });
  expect(result.structuredContent).toMatchObject({ rows: [[1, 2, 3]] });
  expect(text(result)).toBe('[{"a":1,"a_3":2,"a_2":3}]');
});

test("names the columns once in the text of many rows", async () => {
  const result = await shop.call("read_query", { query: MANY });
  const { rows } = result.structuredContent as { rows: unknown[] };
  expect(rows).toHaveLength(250);
  expect(JSON.parse(text(result))).toEqual({ columns: ["i", "name"], rows });
});

describe("values", () => {
  const values: [string, unknown][] = [
    ["NULL", null],
    ["1", 1],
    ["-1.5", -1.5],
    ["9007199254740991", 9007199254740991],
    ["9007199254740993", "9007199254740993"],
    ["-9223372036854775808", "-9223372036854775808"],
    ["1e300", 1e300],
    ["1e999", "Infinity"],
    ["9007199254740994.0", 9007199254740994],
    ["'it''s \"quoted\" \\ ' || char(10) || char(0) || '€😀'", 'it\'s "quoted" \\ \n\0€😀'],
    ["x'0001ff'", { bytes: 3, base64: "AAH/" }],
    ["zeroblob(0)", { bytes: 0, base64: "" }],
    ["''", ""],
  ];

  test.each(values)("returns %s exactly", async (sql, value) => {
    expect(await shop.rows(`SELECT ${sql} AS v`)).toEqual([[value]]);
    const result = await shop.call("read_query", { query: `SELECT ${sql} AS v, 1 AS one FROM (VALUES (1), (2))` });
    expect(JSON.parse(text(result))).toEqual([
      { v: value, one: 1 },
      { v: value, one: 1 },
    ]);
  });

  test("changes no other value for a large integer after many rows", async () => {
    const query = `${MANY.replace("i < 250", "i < 700")} UNION ALL SELECT 9007199254740993, 'last'`;
    for (const _again of [1, 2]) {
      const rows = (await shop.rows(query)) as unknown[][];
      expect(rows).toHaveLength(701);
      expect([rows[0], rows[699], rows[700]]).toEqual([
        [1, "row 1"],
        [700, "row 700"],
        ["9007199254740993", "last"],
      ]);
    }
  });
});

describe("parameters", () => {
  const bound: [string, unknown, unknown][] = [
    ["SELECT ?, ?", ["a", 2], ["a", 2]],
    ["SELECT ?2, ?1, ?2", ["a", "b"], ["b", "a", "b"]],
    ["SELECT ?2, ?", ["a", "b", "c"], ["b", "c"]],
    ["SELECT :a, @b, $c", { a: 1, b: null, c: true }, [1, null, 1]],
    ["SELECT :a, :a", { ":a": "x" }, ["x", "x"]],
    ["SELECT typeof(?), typeof(?)", [1, 1.5], ["integer", "real"]],
    ["SELECT hex(?)", [{ base64: "AAH/" }], ["0001FF"]],
    ["SELECT ? + 0", [{ integer: "9007199254740993" }], ["9007199254740993"]],
    ["SELECT ':x', \"name\", ? FROM customers LIMIT 1", ["v"], [":x", "Ada", "v"]],
    ["SELECT ?01, ?, ?1", ["a", "b"], ["a", "b", "a"]],
    ["SELECT typeof(?)", [2e19], ["real"]],
    ["SELECT 1 -- ?", [], [1]],
    ["SELECT 1 /* :a */", undefined, [1]],
  ];
  test.each(bound)("%s accepts %j", async (query, params, row) => {
    expect(await shop.rows(query, params === undefined ? {} : { params })).toEqual([row]);
  });

  const wrong: [string, unknown, string][] = [
    ["SELECT ?", [], "Invalid params: the statement has 1 parameter, but params holds 0 values."],
    ["SELECT ?", [1, 2], "Invalid params: the statement has 1 parameter, but params holds 2 values."],
    ["SELECT 1", [1], "Invalid params: the statement has 0 parameters, but params holds 1 value."],
    ["SELECT :a", [1], "Invalid params: expected an object with values for a."],
    ["SELECT ?", { a: 1 }, "Invalid params: the statement has no named parameters. Pass a list of 1 value."],
    ["SELECT :a", { a: 1, b: 2 }, "Invalid params: unknown name b. The statement has a."],
    ["SELECT :a, :b", { a: 1 }, "Invalid params: no value for b. The statement has a, b."],
    ["SELECT ?, :a", [1], "The statement mixes ? with named parameters. Use one kind only."],
    ["SELECT ?", [2 ** 53 + 2], 'Invalid params[0]: JSON numbers past 2^53 are rounded. Pass the integer as {"integer": "…"}.'],
    ["SELECT ?", [{ base64: "A", bytes: 1 }], "Invalid params[0]: the base64 text is malformed."],
    [
      "SELECT ?",
      [{ base64: "AAH/", bytes: 5000 }],
      'Invalid params[0]: "bytes" is 5000, but base64 holds 3. A truncated BLOB cannot be written back.',
    ],
    ["SELECT ?", [{ integer: "99999999999999999999" }], "Invalid params[0]: expected a 64-bit integer in decimal digits."],
    // What 9223372036854775807 comes to on its way through JSON.
    ["SELECT ?", [2 ** 63], 'Invalid params[0]: JSON numbers past 2^53 are rounded. Pass the integer as {"integer": "…"}.'],
    ["SELECT hex(?)", ["a\uD800"], "Invalid params[0]: the text contains a lone surrogate, which SQLite cannot store."],
    ["SELECT 'a\uDC00'", [], "Invalid statement: it contains a lone surrogate, which UTF-8 cannot represent."],
    ["SELECT :a", { a: 1, ":a": 2 }, "Invalid params: a name is given twice, with and without its prefix. Give one value for each of a."],
    [
      "SELECT ?",
      "text",
      'Invalid params: expected a list or an object, such as ["Ada", 7] or {"name": "Ada"}, got a text that is not JSON.',
    ],
  ];
  test.each(wrong)("%s refuses %j", async (query, params, message) => {
    expect(await shop.failure("read_query", { query, params })).toBe(message);
  });

  test.each(["[1, 1e999]", '{"1": -1e999}'])("refuses %s, which would become NULL", (params) => {
    expect(() => toParams(JSON.parse(params))).toThrow(
      'Invalid params: the number at "1" is larger than any number of JavaScript. Pass it as text.',
    );
  });

  test("names the accepted kinds for a value of another kind", async () => {
    expect(await shop.failure("read_query", { query: "SELECT ?", params: [[1]] })).toContain("params[0]: expected text, a number");
  });
});

describe("pages", () => {
  test("return every row once by the cursors of truncated replies", async () => {
    const seen: unknown[] = [];
    let cursor: unknown;
    for (let page = 0; page < 10; page += 1) {
      const result = await shop.call("read_query", { query: MANY, limit: 60, ...(cursor !== undefined && { cursor }) });
      const structured = result.structuredContent as Json;
      seen.push(...(structured["rows"] as unknown[]));
      expect(structured["truncated"]).toBe(structured["nextCursor"] !== undefined);
      if (structured["nextCursor"] === undefined) break;
      expect(text(result)).toContain(`[truncated after 60 rows; call again with cursor: "${String(structured["nextCursor"])}"]`);
      cursor = structured["nextCursor"];
    }
    expect(seen).toEqual(Array.from({ length: 250 }, (_, index) => [index + 1, `row ${index + 1}`]));
  });

  test("refuse a cursor that is forged or belongs to another call", async () => {
    const { nextCursor } = await shop.structured("read_query", { query: "SELECT ?1 FROM orders", params: [1], limit: 1 });
    const cursors: Json[] = [
      { query: "SELECT ?1 FROM orders", params: [2], cursor: nextCursor },
      { query: "SELECT ?1 FROM customers", params: [1], cursor: nextCursor },
      { query: "SELECT ?1 FROM orders", params: [1], cursor: `${String(nextCursor)}x` },
      { query: "SELECT ?1 FROM orders", params: [1], cursor: "WzEsIiJd.AAAAAAAAAAAAAAAAAAAAAA" },
      { query: "SELECT ?1 FROM orders", params: [1], cursor: "" },
    ];
    for (const args of cursors) expect(await shop.failure("read_query", args)).toContain("Invalid cursor: it does not belong to this call");
    await shop.call("read_query", { query: "SELECT ?1 FROM orders", params: [1], cursor: nextCursor });
  });

  test("warn after a change of the data", async () => {
    const query = "SELECT id FROM orders ORDER BY id";
    const { nextCursor } = await shop.structured("read_query", { query, limit: 1 });
    {
      using db = openDatabase(shop.file);
      db.exec("INSERT INTO orders (id, customer_id) VALUES (0, 1)");
    }
    const result = await shop.call("read_query", { query, cursor: nextCursor });
    expect(result.structuredContent).toMatchObject({ dataChanged: true, rows: [[2], [3]] });
    expect(text(result)).toContain("The data has changed since the previous page");
    using db = openDatabase(shop.file);
    db.exec("DELETE FROM orders WHERE id = 0");
  });
});

describe("deviation 'limits'", () => {
  test("executeautomation/rows cubrid-lab/cubrid-mcp-server#83 haymon-ai/dbmcp#27 keeps replies within --max-result-bytes, and returns every row over pages", async () => {
    await using small = await openShop({ maxResultBytes: 20_000 });
    const query =
      "WITH RECURSIVE c(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM c WHERE i < 300) SELECT i, printf('%.*c', i, '\"') AS q FROM c";
    const seen: number[] = [];
    let cursor: unknown;
    do {
      const result = await small.call("read_query", { query, ...(cursor !== undefined && { cursor }) });
      expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(20_000);
      const structured = result.structuredContent as { rows: [number, string][]; nextCursor?: string };
      for (const [i, quotes] of structured.rows) expect(quotes).toBe('"'.repeat(i));
      seen.push(...structured.rows.map(([i]) => i));
      cursor = structured.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
  });

  test("executeautomation/BLOBs truncates and lists long texts and BLOBs", async () => {
    const result = await shop.structured("read_query", {
      query: "SELECT 1 AS n, hex(zeroblob(400000)) AS t, zeroblob(9000) AS b",
      limit: 1,
    });
    const [[n, t, b]] = result["rows"] as [[number, string, { bytes: number; base64: string }]];
    expect(n).toBe(1);
    expect(t).toMatch(/^0{100000,}…$/);
    expect(b).toEqual({ bytes: 9000, base64: Buffer.alloc(4096).toString("base64") });
    expect(result["clipped"]).toEqual([
      { row: 0, column: "t", length: 800_000 },
      { row: 0, column: "b", length: 9000 },
    ]);
  });

  test.each(["json", "csv", "markdown"])(
    "keeps the text of a reply within 64,000 bytes, beginning with its cursor (%s)",
    async (format) => {
      const query =
        "WITH RECURSIVE c(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM c LIMIT 4000) SELECT i, 'é and \"so\" on ' || i AS line FROM c";
      const seen: unknown[] = [];
      for (let cursor: unknown; ;) {
        const result = await shop.call("read_query", { query, format, ...(cursor !== undefined && { cursor }) });
        expect(Buffer.byteLength(text(result))).toBeLessThanOrEqual(64_000);
        const { rows, nextCursor } = result.structuredContent as { rows: unknown[][]; nextCursor?: string };
        seen.push(...rows.map(([i]) => i));
        if (nextCursor === undefined) break;
        expect(text(result).slice(0, 1500)).toContain(nextCursor);
        cursor = nextCursor;
      }
      expect(seen).toEqual(Array.from({ length: 4000 }, (_, index) => index + 1));
    },
  );

  test("gives one long text at most half of a reply's text", async () => {
    const result = await shop.call("read_query", { query: "SELECT hex(zeroblob(50000)) AS t" });
    expect(text(result).length).toBeLessThan(32_000);
    expect(result.structuredContent).toMatchObject({ clipped: [{ row: 0, column: "t", length: 100_000 }] });
  });

  test("escapes control and directional characters in every format", async () => {
    const args = { query: 'SELECT ? AS "a\u202eb", ? AS n', params: ["x\u001b[31m\u009by", "\u2066z\u202e"] };
    for (const format of ["json", "csv", "markdown"]) {
      const result = await shop.call("read_query", { ...args, format });
      // oxlint-disable-next-line no-control-regex
      expect(text(result)).not.toMatch(/[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      expect(JSON.parse(JSON.stringify(result.structuredContent))).toMatchObject({ rows: [args.params] });
    }
  });

  test("returns at most 10,000 rows in a reply", async () => {
    const query = "WITH RECURSIVE c(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM c LIMIT 10000000) SELECT i FROM c";
    expect(await shop.structured("read_query", { query, limit: 10_000 })).toMatchObject({ rowCount: 10_000, truncated: true });
    expect(await shop.structured("read_query", { query, limit: 50_000 })).toMatchObject({ rowCount: 10_000, truncated: true });
  });

  test.each([0, -1, 1.5, "10"])("read_query refuses %j as limit and timeout_ms", async (value) => {
    for (const name of ["limit", "timeout_ms"])
      expect(await shop.failure("read_query", { query: "SELECT 1", [name]: value })).toContain(name);
  });
});

test("SQL-15 read_query refuses EXPLAIN of programs that contain memory addresses", async () => {
  expect(await shop.rows("EXPLAIN QUERY PLAN SELECT * FROM notes")).toEqual([
    [expect.any(Number), 0, expect.any(Number), expect.stringContaining("VIRTUAL TABLE")],
  ]);
  expect(await shop.rows("EXPLAIN SELECT id FROM orders")).toEqual(expect.arrayContaining([expect.arrayContaining(["ResultRow"])]));
  expect(await shop.failure("read_query", { query: "EXPLAIN SELECT * FROM notes" })).toContain("the program contains memory addresses");
});

describe("deviation 'errors'", () => {
  const mistakes: [string, string][] = [
    ["SELECT * FROM custmers", "no such table: custmers; did you mean customers?"],
    ["SELECT * FROM zzz", "no such table: zzz; use list_tables to find its name"],
    ["SELECT nam FROM customers", "no such column: nam; did you mean name?"],
    ["SELECT c.emial FROM customers AS c", "no such column: c.emial; did you mean email?"],
    ["SELECT xyzzy FROM orders", "no such column: xyzzy; the columns are id, customer_id, total, placed"],
    ["SELECT lenght('a')", "no such function: lenght; did you mean length?"],
    ["SELECT FROM", 'near "FROM": syntax error'],
    ["-- nothing", "Empty query: expected one SQL statement."],
    ["DELETE FROM orders", "read_query only reads: this is DELETE. Use write_query to change data."],
    ["SELECT load_extension('x')", "The function load_extension is not allowed: it loads code or reveals memory addresses."],
    ["SELECT * FROM pragma_database_list", "The table pragma_database_list is not allowed: it reads more than this database."],
  ];
  test.each(mistakes)("archived/errors read_query explains %s", async (query, message) => {
    expect(await shop.failure("read_query", { query })).toBe(message);
  });

  test("read_query runs pragmas that only read and refuses others", async () => {
    expect(await shop.rows("SELECT name FROM pragma_table_info('orders')")).toEqual([["id"], ["customer_id"], ["total"], ["placed"]]);
    expect(await shop.rows("PRAGMA main.table_info(orders);")).toHaveLength(4);
    expect(await shop.rows("pragma user_version")).toEqual([[0]]);
    for (const query of ["PRAGMA user_version = 3", "PRAGMA query_only(0)", "PRAGMA journal_mode", "EXPLAIN PRAGMA user_version = 3"])
      expect(await shop.failure("read_query", { query })).toMatch(
        /^PRAGMA \w+ is not allowed: (?:only pragmas that read are|foreign keys are enforced)/,
      );
    expect(await shop.rows("PRAGMA user_version")).toEqual([[0]]);
  });
});

test("read_query reads a file that replaces the first", async () => {
  await using other = await openShop({ sql: "CREATE TABLE t (a); INSERT INTO t VALUES ('old')" });
  expect(await other.rows("SELECT a FROM t")).toEqual([["old"]]);
  renameSync(makeDatabase(other.folder.at("new.db"), "CREATE TABLE t (a); INSERT INTO t VALUES ('new')"), other.file);
  await waitUntil(
    () => other.rows("SELECT a FROM t"),
    (rows) => JSON.stringify(rows) === '[["new"]]',
    HANG_MS,
  );
});

test.each(["reading", "writing"])(
  "creates no database in place of one that was moved away, and serves it after its return (%s)",
  async (how) => {
    await using other = await openShop({ sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)", readOnly: how === "reading" });
    expect(await other.rows("SELECT a FROM t")).toEqual([[1]]);
    const insert = { query: "INSERT INTO t VALUES (2)" };
    if (how === "writing") await other.call("write_query", insert);
    for (const _ of [1, 2]) {
      renameSync(other.file, other.folder.at("away.db"));
      await waitUntil(
        () => other.client.call("read_query", { query: "SELECT a FROM t" }),
        ({ isError }) => isError === true,
        HANG_MS,
      );
      for (const name of ["list_tables", "check_database"])
        expect(await other.failure(name)).toContain("shop does not exist. Restore its file");
      if (how === "writing") for (const _ of [1, 2]) expect(await other.failure("write_query", insert)).toContain("shop does not exist");
      expect(existsSync(other.file)).toBe(false);
      renameSync(other.folder.at("away.db"), other.file);
      if (how === "writing") await other.call("write_query", insert);
      expect(await other.rows("SELECT DISTINCT a FROM t")).toEqual(how === "writing" ? [[1], [2]] : [[1]]);
    }
  },
);

test.each([
  ["SELECT 1 WHERE 2 NOT IN (SELECT x FROM (SELECT 1 AS x UNION ALL SELECT NULL))", true],
  ["SELECT count(*) FROM (SELECT 5 AS a) WHERE a NOT IN (1, NULL)", true],
  ["SELECT 1 WHERE 1 NOT IN (SELECT 1)", false],
  ["SELECT 1 WHERE 2 NOT IN (SELECT 1)", false],
  ["SELECT 1 FROM (SELECT 1 AS a) AS t WHERE 1 NOT IN (SELECT t.a)", false],
])("read_query says where NOT IN is never true for a NULL in its list: %s", async (query, says) => {
  expect(text(await shop.call("read_query", { query })).includes("its list holds a NULL")).toBe(says);
});
