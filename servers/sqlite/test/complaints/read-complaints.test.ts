// Problems of other SQLite servers with reads. The manual lists them; the tests of many others have their references in the title.
import { readdirSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rowsOf } from "../support/databases.ts";
import { openShop, text, type Shop } from "../support/shop.ts";

const T = "CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t (v) VALUES ('a'), ('b');";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ sql: T });
});
afterAll(() => shop[Symbol.asyncDispose]());

test("dbhub/query_only read_query cannot write after failed calls", async () => {
  for (const query of [
    "SELECT * FROM t",
    "DELETE FROM t",
    "SELECT nonsense(",
    "PRAGMA query_only = 0",
    "SELECT * FROM pragma_query_only(0)",
  ])
    await shop.client.call("read_query", { query });
  await shop.failure("read_query", { query: "DELETE FROM t RETURNING *" });
  expect(rowsOf(shop.file, "SELECT count(*) FROM t")).toEqual([[2]]);
});

test("archived/WITH executeautomation/WITH jparkerweb/WITH selects the tool by the statement after WITH", async () => {
  await using shop = await openShop({ sql: T });
  const reading = "/* all */ WITH s AS (SELECT v FROM t) SELECT * FROM s";
  const writing = "WITH s AS (SELECT 'c' AS v) INSERT INTO t (v) SELECT v FROM s";
  expect(await shop.rows(reading)).toEqual([["a"], ["b"]]);
  await shop.failure("read_query", { query: writing });
  await shop.failure("write_query", { query: reading });
  expect(await shop.structured("write_query", { query: writing })).toMatchObject({ changes: 1 });
  expect(rowsOf(shop.file, "SELECT v FROM t")).toEqual([["a"], ["b"], ["c"]]);
});

test("executeautomation/integers jparkerweb/integers rjsalgado/mariadb-mcp-server#2 dbgate/dbgate#1532 stores and returns 64-bit integers exactly", async () => {
  await using shop = await openShop({ sql: "CREATE TABLE t (n INTEGER)" });
  const numbers = ["9007199254740993", "-9007199254740993", "9223372036854775807", "-9223372036854775808", "4503599627370497"];
  for (const integer of numbers) await shop.call("write_query", { query: "INSERT INTO t VALUES (?)", params: [{ integer }] });
  const result = await shop.call("read_query", { query: "SELECT n, n AS again FROM t ORDER BY rowid" });
  const values = [...numbers.slice(0, 4), 4503599627370497];
  expect(result.structuredContent).toMatchObject({ rows: values.map((value) => [value, value]) });
  expect(JSON.parse(text(result))).toEqual(values.map((value) => ({ n: value, again: value })));
  expect(rowsOf(shop.file, "SELECT CAST(n AS TEXT) FROM t ORDER BY rowid")).toEqual(numbers.map((number) => [number]));
});

test("hannesrudolph/sqlite-explorer-fastmcp-mcp-server#8 hannesrudolph/sqlite-explorer-fastmcp-mcp-server#10 hannesrudolph/sqlite-explorer-fastmcp-mcp-server#12 hannesrudolph/sqlite-explorer-fastmcp-mcp-server#14 read_query refuses a CTE that deletes", async () => {
  for (const query of [
    "WITH x AS (SELECT 1) DELETE FROM t",
    "WITH x AS (SELECT id FROM t) DELETE FROM t WHERE id IN (SELECT id FROM x) RETURNING *",
    "WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x",
  ])
    await shop.failure("read_query", { query });
  expect(rowsOf(shop.file, "SELECT count(*) FROM t")).toEqual([[2]]);
});

test("spences10/mcp-sqlite-tools#50 read_query refuses pragmas that change settings, and several statements", async () => {
  for (const query of ["PRAGMA user_version = 7", "PRAGMA journal_mode = WAL", "PRAGMA writable_schema(1)", "SELECT 1; DELETE FROM t"])
    await shop.failure("read_query", { query });
  expect(await shop.structured("read_query", { query: "PRAGMA table_info(t)" })).toMatchObject({ rowCount: 2 });
  expect(rowsOf(shop.file, "PRAGMA user_version")).toEqual([[0]]);
  expect(rowsOf(shop.file, "PRAGMA journal_mode")).toEqual([["delete"]]);
});

test.each([true, false])(
  "mvanhorn/cli-printing-press#693 mvanhorn/cli-printing-press#2799 writes no file by ATTACH and VACUUM INTO (read-only: %j)",
  async (readOnly) => {
    await using shop = await openShop({ sql: T, readOnly });
    const copy = shop.folder.at("copy.db");
    for (const query of [`ATTACH '${copy}' AS c`, `VACUUM INTO '${copy}'`, `VACUUM main INTO '${copy}'`]) {
      await shop.failure("read_query", { query });
      if (!readOnly) await shop.failure("write_query", { query });
    }
    expect(readdirSync(shop.folder.path)).toEqual(["shop.db"]);
  },
);

test("KimYx0207/AI-Coding-Guide-Zh#2 keeps the tool names and required arguments of the archived server", async () => {
  const tools = await Array.fromAsync(shop.client.tools());
  const required = (name: string) =>
    (tools.find((tool) => tool.name === name)?.inputSchema as { required?: string[] } | undefined)?.required ?? [];
  expect([
    required("read_query"),
    required("write_query"),
    required("create_table"),
    required("describe_table"),
    required("append_insight"),
    required("list_tables"),
  ]).toEqual([["query"], ["query"], ["query"], ["table_name"], ["insight"], []]);
});
