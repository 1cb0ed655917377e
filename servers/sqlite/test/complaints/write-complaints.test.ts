// Complaints about changing data, each answered by a test. The README lists them.
import { readdirSync } from "node:fs";
import { connectTo, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { makeDatabase, opened, rowsOf } from "../support/databases.ts";
import { targetOf } from "../support/target.ts";
import { on, text } from "./complaint-helpers.ts";

const T = "CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t (v) VALUES ('a'), ('b');";

test("archived/REPLACE archived/comments REPLACE, and an INSERT behind comments, are in the file when they are answered", async () => {
  await using here = await on(T);
  const changes = [
    "REPLACE INTO t VALUES (1, 'replaced')",
    "-- a comment\nINSERT INTO t VALUES (3, 'c')",
    "/* SELECT */ insert into t values (4, 'd')",
    "\n\t/**/ -- x\n /* y */ UPDATE t SET v = 'B' WHERE id = 2;",
    "WITH s AS (SELECT 5) INSERT INTO t SELECT 5, 'e' FROM s -- end",
    "INSERT INTO t VALUES (6, 'f') RETURNING id",
    "INSERT INTO t VALUES (6, 'F') ON CONFLICT DO UPDATE SET v = excluded.v",
  ];
  for (const query of changes) expect((await here.write(query)).structuredContent, query).toMatchObject({ changes: 1, rolledBack: false });
  expect(here.found("SELECT id, v FROM t ORDER BY id")).toEqual([
    [1, "replaced"],
    [2, "B"],
    [3, "c"],
    [4, "d"],
    [5, "e"],
    [6, "F"],
  ]);
});

test("dbhub/order several statements run in their order, and all or none of them", async () => {
  await using here = await on(T);
  const refused = await here.write("INSERT INTO t VALUES (3, 'c'); DELETE FROM t");
  expect(text(refused)).toMatch(/several statements|one statement/i);
  const statements = [
    { query: "UPDATE t SET v = 'x'" },
    { query: "INSERT INTO t (v) VALUES (?)", params: ["c"] },
    { query: "UPDATE t SET v = v || '!'" },
  ];
  expect((await here.call("run_transaction", { statements })).isError).toBeUndefined();
  expect(here.found("SELECT v FROM t ORDER BY id")).toEqual([["x!"], ["x!"], ["c!"]]);
  const failing = [{ query: "DELETE FROM t WHERE id = 1" }, { query: "INSERT INTO t VALUES (2, 'twice')" }];
  expect((await here.call("run_transaction", { statements: failing })).isError).toBe(true);
  expect(here.found("SELECT count(*) FROM t")).toEqual([[3]]);
});

test("spences10/mcp-sqlite-tools#53 WiseLibs/better-sqlite3#707 WiseLibs/better-sqlite3#568 nodejs/node#62227 a change that runs too long is really stopped, and undone", async () => {
  await using here = await on(T);
  const from = performance.now();
  const endless = "INSERT INTO t (v) WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT i FROM c";
  const stopped = await here.write(endless, { timeout_ms: 300 });
  expect(text(stopped)).toMatch(/topped after 300 ms/);
  expect(performance.now() - from).toBeLessThan(3000);
  expect((await here.write("INSERT INTO t (v) VALUES ('next')")).structuredContent).toMatchObject({ changes: 1 });
  expect(here.found("SELECT v FROM t ORDER BY id")).toEqual([["a"], ["b"], ["next"]]);
});

test("servers#1386 several databases, BLOBs as parameters, transactions", async () => {
  await using folder = tempFolder();
  const files = ["one", "two"].map((name) => makeDatabase(folder.at(`${name}.db`), "CREATE TABLE t (b BLOB)"));
  await using wired = await connectTo(targetOf({ files }));
  for (const database of ["one", "two"]) {
    const query = "INSERT INTO t VALUES (?)";
    await wired.client.call("write_query", { query, params: [{ base64: "AP8Q" }], database });
    await wired.client.call("run_transaction", {
      statements: [
        { query, params: [null] },
        { query, params: [database] },
      ],
      database,
    });
  }
  expect(files.map((file) => rowsOf(file, "SELECT hex(b), typeof(b) FROM t"))).toEqual(
    ["one", "two"].map((name) => [
      ["00FF10", "blob"],
      ["", "null"],
      [Buffer.from(name).toString("hex").toUpperCase(), "text"],
    ]),
  );
});

test("executeautomation/mcp-database-server#34 executeautomation/mcp-database-server#13 odd names stay names, and a count is a row", async () => {
  await using here = await on(T);
  const name = 'x"; DROP TABLE t; --';
  expect((await here.call("create_table", { query: `CREATE TABLE "${name.replaceAll('"', '""')}" (a)` })).isError).toBeUndefined();
  expect((await here.call("create_table", { query: "CREATE TABLE y (a); DROP TABLE t" })).isError).toBe(true);
  expect((await here.call("describe_table", { table_name: name, sample_rows: 1 })).structuredContent).toMatchObject({ table: name });
  expect((await here.read("SELECT COUNT(*) FROM t")).structuredContent).toMatchObject({ columns: [{ name: "COUNT(*)" }], rows: [[2]] });
  expect((await here.read("SELECT count(*), count(*) FROM t WHERE 0")).structuredContent).toMatchObject({ rows: [[0, 0]] });
});

test("mksglu/context-mode#218 mksglu/context-mode#735 a lock of another program is waited for, told, and survived; nothing is left behind", async () => {
  await using here = await on(T);
  using other = opened(here.file);
  other.exec("BEGIN EXCLUSIVE");
  const [read, write] = await Promise.all([here.read("SELECT count(*) FROM t"), here.write("INSERT INTO t (v) VALUES ('c')")]);
  for (const reply of [read, write]) {
    expect(reply.isError).toBe(true);
    expect(text(reply)).toMatch(/busy|locked/i);
  }
  other.exec("COMMIT");
  expect((await here.write("INSERT INTO t (v) VALUES ('c')")).structuredContent).toMatchObject({ changes: 1 });
  expect(readdirSync(here.folder.path)).toEqual(["main.db"]);
});

test("cq27-dev/rag-rat#143 tools that read take no lock that a writer would meet", async () => {
  await using here = await on(T);
  await here.read("SELECT * FROM t");
  await here.call("list_tables", {});
  await here.call("describe_table", { table_name: "t" });
  using other = opened(here.file);
  other.pragma("busy_timeout = 0");
  other.exec("BEGIN EXCLUSIVE; INSERT INTO t (v) VALUES ('c'); COMMIT");
  expect((await here.read("SELECT count(*) FROM t")).structuredContent).toMatchObject({ rows: [[3]] });
});
