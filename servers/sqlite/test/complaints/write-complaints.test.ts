// Problems of other SQLite servers with changes. The manual lists them; the tests of many others have their references in the title.
import { connectTo, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { makeDatabase, openDatabase, rowsOf } from "../support/databases.ts";
import { targetOf } from "../support/target.ts";
import { openShop } from "../support/shop.ts";

const T = "CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t (v) VALUES ('a'), ('b');";

test("servers#1386 accepts BLOB parameters and transactions on every database", async () => {
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

test("executeautomation/mcp-database-server#34 executeautomation/mcp-database-server#13 reads SQL in a name as part of the name, and returns a count as a row", async () => {
  await using shop = await openShop({ sql: T });
  const name = 'x"; DROP TABLE t; --';
  await shop.call("create_table", { query: `CREATE TABLE "${name.replaceAll('"', '""')}" (a)` });
  await shop.failure("create_table", { query: "CREATE TABLE y (a); DROP TABLE t" });
  expect(await shop.structured("describe_table", { table_name: name, sample_rows: 1 })).toMatchObject({ table: name });
  expect(await shop.structured("read_query", { query: "SELECT COUNT(*) FROM t" })).toMatchObject({
    columns: [{ name: "COUNT(*)" }],
    rows: [[2]],
  });
  expect(await shop.structured("read_query", { query: "SELECT count(*), count(*) FROM t WHERE 0" })).toMatchObject({ rows: [[0, 0]] });
});

test("cq27-dev/rag-rat#143 takes no write lock for tools that read", async () => {
  await using shop = await openShop({ sql: T });
  await shop.call("read_query", { query: "SELECT * FROM t" });
  await shop.call("list_tables");
  await shop.call("describe_table", { table_name: "t" });
  using other = openDatabase(shop.file);
  other.pragma("busy_timeout = 0");
  other.exec("BEGIN EXCLUSIVE; INSERT INTO t (v) VALUES ('c'); COMMIT");
  expect(await shop.structured("read_query", { query: "SELECT count(*) FROM t" })).toMatchObject({ rows: [[3]] });
});
