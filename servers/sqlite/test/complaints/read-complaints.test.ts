// Complaints about reading and looking, each answered by a test. The README lists them.
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { on, text } from "./complaint-helpers.ts";

const T = "CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t (v) VALUES ('a'), ('b');";

test("dbhub/query_only after any number of calls, failed ones too, reading still cannot write", async () => {
  await using here = await on(T);
  for (const query of [
    "SELECT * FROM t",
    "DELETE FROM t",
    "SELECT nonsense(",
    "PRAGMA query_only = 0",
    "SELECT * FROM pragma_query_only(0)",
  ])
    await here.read(query);
  expect((await here.read("DELETE FROM t RETURNING *")).isError).toBe(true);
  expect(here.found("SELECT count(*) FROM t")).toEqual([[2]]);
});

test("archived/WITH executeautomation/WITH jparkerweb/WITH a WITH that reads is read, one that writes is a change", async () => {
  await using here = await on(T);
  const reading = "/* all */ WITH s AS (SELECT v FROM t) SELECT * FROM s";
  const writing = "WITH s AS (SELECT 'c' AS v) INSERT INTO t (v) SELECT v FROM s";
  expect((await here.read(reading)).structuredContent).toMatchObject({ rows: [["a"], ["b"]] });
  expect((await here.read(writing)).isError).toBe(true);
  expect((await here.write(reading)).isError).toBe(true);
  expect((await here.write(writing)).structuredContent).toMatchObject({ changes: 1 });
  expect(here.found("SELECT v FROM t")).toEqual([["a"], ["b"], ["c"]]);
});

test("executeautomation/integers jparkerweb/integers rjsalgado/mariadb-mcp-server#2 dbgate/dbgate#1532 64-bit integers come and go exactly", async () => {
  await using here = await on("CREATE TABLE t (n INTEGER)");
  const numbers = ["9007199254740993", "-9007199254740993", "9223372036854775807", "-9223372036854775808", "4503599627370497"];
  for (const integer of numbers) await here.write("INSERT INTO t VALUES (?)", { params: [{ integer }] });
  const { structuredContent, ...said } = await here.read("SELECT n, n AS again FROM t ORDER BY rowid");
  const values = [...numbers.slice(0, 4), 4503599627370497];
  expect(structuredContent).toMatchObject({ rows: values.map((value) => [value, value]) });
  expect(JSON.parse(text(said))).toEqual(values.map((value) => ({ n: value, again: value })));
  expect(here.found("SELECT CAST(n AS TEXT) FROM t ORDER BY rowid")).toEqual(numbers.map((number) => [number]));
});

test("executeautomation/BLOBs a BLOB comes as its size and base64", async () => {
  await using here = await on("CREATE TABLE t (b BLOB); INSERT INTO t VALUES (x'00ff10'), (zeroblob(1000000))");
  const { structuredContent } = await here.read("SELECT b FROM t");
  expect(structuredContent).toMatchObject({
    rows: [[{ bytes: 3, base64: "AP8Q" }], [{ bytes: 1_000_000 }]],
    clipped: [{ row: 1, column: "b" }],
  });
  expect(JSON.stringify(structuredContent).length).toBeLessThan(20_000);
});

test("executeautomation/views a view is listed and described", async () => {
  await using here = await on(`${T} CREATE VIEW w AS SELECT id, v AS name FROM t`);
  expect((await here.call("list_tables", {})).structuredContent).toMatchObject({ tables: [{ name: "t" }, { name: "w", type: "view" }] });
  expect((await here.call("describe_table", { table_name: "w" })).structuredContent).toMatchObject({
    columns: [{ name: "id" }, { name: "name" }],
  });
});

test("executeautomation/rows cubrid-lab/cubrid-mcp-server#83 haymon-ai/dbmcp#27 rows, bytes and time have bounds, and a cut reply goes on", async () => {
  await using here = await on("CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)");
  await here.write(
    "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 30000) INSERT INTO t SELECT i, hex(randomblob(100)) FROM c",
  );
  const seen: unknown[] = [];
  let cursor: unknown;
  do {
    const reply = await here.read("SELECT id, v FROM t ORDER BY id", cursor === undefined ? {} : { cursor });
    expect(JSON.stringify(reply).length).toBeLessThan(2_600_000);
    const { rows, nextCursor, truncated } = reply.structuredContent as { rows: unknown[][]; nextCursor?: string; truncated: boolean };
    expect(truncated).toBe(nextCursor !== undefined);
    seen.push(...rows.map(([id]) => id));
    cursor = nextCursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(Array.from({ length: 30_000 }, (_, at) => at + 1));
  const endless = await here.read("WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT count(*) FROM c", {
    timeout_ms: 500,
  });
  expect(text(endless)).toMatch(/topped after 500 ms/);
});

test("archived/errors an error is marked as one, and helps", async () => {
  await using here = await on("CREATE TABLE customers (id, email)");
  const noTable = await here.read("SELECT * FROM custmers");
  expect(noTable.isError).toBe(true);
  expect(text(noTable)).toMatch(/no such table.*custmers[\s\S]*customers/i);
  const noColumn = await here.read("SELECT emial FROM customers");
  expect(noColumn.isError).toBe(true);
  expect(text(noColumn)).toMatch(/no such column.*emial[\s\S]*email/i);
  for (const [tool, args] of [
    ["read_query", { query: "SELEKT 1" }],
    ["write_query", { query: "INSERT INTO customers VALUES (1)" }],
    ["create_table", { query: "CREATE TABLE customers (a)" }],
    ["describe_table", { table_name: "nowhere" }],
  ] as const)
    expect((await here.call(tool, args)).isError, tool).toBe(true);
});

test("servers#1945 without --read-write nothing that writes is offered, and the file is opened for reading only", async () => {
  await using here = await on(T, { readOnly: true });
  const names = (await Array.fromAsync(here.client.tools())).map(({ name }) => name);
  for (const name of ["write_query", "create_table", "run_transaction"]) expect(names).not.toContain(name);
  expect(names).toContain("read_query");
  await expect(here.call("write_query", { query: "DELETE FROM t" })).rejects.toThrow(/write_query/);
  expect(here.found("SELECT count(*) FROM t")).toEqual([[2]]);
});

test("servers#1348 servers#3314 servers#1367 servers#3663 SQL in a table name is only an unknown name", async () => {
  await using here = await on(T);
  for (const table_name of ["t); DROP TABLE t; --", "t'; DELETE FROM t; --", "t) UNION SELECT sql FROM sqlite_master --"]) {
    const reply = await here.call("describe_table", { table_name });
    expect(text(reply)).toMatch(/no such table/i);
  }
  expect(here.found("SELECT count(*) FROM t")).toEqual([[2]]);
});

test("hannesrudolph/sqlite-explorer-fastmcp-mcp-server#8 hannesrudolph/sqlite-explorer-fastmcp-mcp-server#10 hannesrudolph/sqlite-explorer-fastmcp-mcp-server#12 hannesrudolph/sqlite-explorer-fastmcp-mcp-server#14 a CTE in read_query deletes nothing", async () => {
  await using here = await on(T);
  for (const query of [
    "WITH x AS (SELECT 1) DELETE FROM t",
    "WITH x AS (SELECT id FROM t) DELETE FROM t WHERE id IN (SELECT id FROM x) RETURNING *",
    "WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x",
  ])
    expect((await here.read(query)).isError).toBe(true);
  expect(here.found("SELECT count(*) FROM t")).toEqual([[2]]);
});

test("spences10/mcp-sqlite-tools#50 pragmas that change something and several statements are no reads", async () => {
  await using here = await on(T);
  for (const query of ["PRAGMA user_version = 7", "PRAGMA journal_mode = WAL", "PRAGMA writable_schema(1)", "SELECT 1; DELETE FROM t"])
    expect((await here.read(query)).isError, query).toBe(true);
  expect((await here.read("PRAGMA table_info(t)")).structuredContent).toMatchObject({ rowCount: 2 });
  expect(here.found("PRAGMA user_version")).toEqual([[0]]);
  expect(here.found("PRAGMA journal_mode")).toEqual([["delete"]]);
});

test("mvanhorn/cli-printing-press#693 mvanhorn/cli-printing-press#2799 no file is written by ATTACH or VACUUM INTO, with the right to write or without", async () => {
  for (const readOnly of [true, false]) {
    await using here = await on(T, { readOnly });
    const copy = here.folder.at("copy.db");
    for (const query of [`ATTACH '${copy}' AS c`, `VACUUM INTO '${copy}'`, `VACUUM main INTO '${copy}'`]) {
      expect((await here.read(query)).isError).toBe(true);
      if (!readOnly) expect((await here.write(query)).isError).toBe(true);
    }
    expect(readdirSync(here.folder.path)).toEqual(["main.db"]);
  }
});

test("mvanhorn/cli-printing-press#4754 one huge value is an error, and the next query is answered", async () => {
  await using here = await on(T);
  for (const query of [
    "SELECT hex(zeroblob(500000000))",
    "SELECT zeroblob(1000000000)",
    "SELECT group_concat(hex(zeroblob(100000000))) FROM t",
  ]) {
    const reply = await here.read(query);
    expect(reply.isError, query).toBe(true);
    expect(text(reply)).not.toContain("Internal error");
  }
  expect((await here.read("SELECT count(*) FROM t")).structuredContent).toMatchObject({ rows: [[2]] });
});

test("raw-labs/mxcp#165 while 60,000 wide rows are read, tools/list and other queries are answered", async () => {
  await using here = await on("CREATE TABLE t (v TEXT)");
  await here.write(
    "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 60000) INSERT INTO t SELECT hex(randomblob(150)) FROM c",
  );
  const order: string[] = [];
  const note = (what: string) => () => order.push(what);
  const slow = here
    .read("SELECT a.v, (SELECT count(*) FROM t b WHERE b.v > a.v) FROM t a ORDER BY 2 LIMIT 60000", { timeout_ms: 4000 })
    .then(note("slow"));
  await Promise.all([Array.fromAsync(here.client.tools()).then(note("quick")), here.read("SELECT 1").then(note("quick"))]);
  await slow;
  expect(order).toEqual(["quick", "quick", "slow"]);
});

test("panasenco/mcp-sqlite the catalogue is there as tools and as resources", async () => {
  await using here = await on(T);
  const tools = (await Array.fromAsync(here.client.tools())).map(({ name }) => name);
  expect(tools).toEqual(expect.arrayContaining(["list_tables", "describe_table"]));
  const { contents } = await here.client.read("sqlite://main/schema");
  expect(JSON.stringify(contents)).toContain("CREATE TABLE t");
  const table = await here.client.read("sqlite://main/table/t");
  expect(JSON.stringify(table.contents)).toContain("id");
});

test("KimYx0207/AI-Coding-Guide-Zh#2 the tools have the names and the required arguments of the archived server", async () => {
  await using here = await on(T);
  const tools = await Array.fromAsync(here.client.tools());
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
