// SQL-26 and SQL-18: databases whose schema was made to do harm, and names that are more than names.
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { rowsOf } from "../support/databases.ts";
import { HOSTILE, makeHostile, type Hostile } from "./corpus.ts";
import { besiege, type Said, type Siege } from "./stress.ts";

const sieged = (hostile: Hostile): Promise<Siege> =>
  besiege({
    args: (base) => ["--read-write", `${base}/ROOT/main.db`, `x=${base}/ROOT/hostile.db`],
    prepare: (siege) => makeHostile(siege.at("hostile.db"), hostile, siege.out),
  });

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** In words, in time, and without anything that only the payload could know. */
function isSound({ text, failed }: Said, about: string): void {
  expect(text, about).not.toMatch(/Internal error|[0-9A-F]{16}|"query_only":0/);
  if (failed) expect(text.length, about).toBeLessThan(1500);
}

describe.each(HOSTILE.map((hostile) => [hostile.name, hostile] as const))("SQL-26 %s", (_, hostile) => {
  test("list, describe, read, insert, update, delete, search, check: clear words, nothing run, the server lives", async () => {
    await using siege = await sieged(hostile);
    const database = "x";
    const plainly = { main: await siege.read("SELECT word FROM plain", { database: "main" }) };
    expect(plainly.main.failed, plainly.main.text).toBe(false);
    for (const [tool, args] of [
      ["list_tables", { detail: "full" }],
      ["search_text", { query: "hello" }],
      ["check_database", {}],
      ["read_query", { query: "SELECT * FROM real" }],
      ["read_query", { query: "PRAGMA integrity_check" }],
    ] as const)
      isSound(await siege.says(tool, { database, ...args }), tool);
    for (const thing of hostile.things) {
      const name = quoted(thing);
      isSound(await siege.says("describe_table", { database, table_name: thing }), `describe ${thing}`);
      for (const query of [`SELECT * FROM ${name}`, `SELECT count(*) FROM ${name}`])
        isSound(await siege.read(query, { database, timeout_ms: 400 }), query);
      for (const query of [`INSERT INTO ${name} DEFAULT VALUES`, `UPDATE ${name} SET rowid = rowid`, `DELETE FROM ${name}`]) {
        isSound(await siege.write(query, { database, timeout_ms: 400, dry_run: true }), query);
        isSound(await siege.write(query, { database, timeout_ms: 400 }), query);
      }
      isSound(await siege.says("explain_query", { database, query: `SELECT * FROM ${name}` }), `explain ${thing}`);
    }
    expect(existsSync(`${siege.base}/MARK`)).toBe(false);
    expect((await siege.read("SELECT word FROM plain", { database: "main" })).structured).toMatchObject({ rows: [["plain"]] });
    await siege.judge({ plain: false });
  });
});

const byName = (name: string): Hostile => HOSTILE.find((hostile) => hostile.name === name)!;

test("SQL-26 tables that are called like SQLite's own lists neither open doors nor blind the catalogue", async () => {
  await using siege = await sieged(byName("catalogue"));
  const database = "x";
  const { structured } = await siege.says("list_tables", { database });
  expect((structured["tables"] as { name: string }[]).map(({ name }) => name)).toContain("real");
  expect((structured["tables"] as { name: string }[]).map(({ name }) => name)).not.toContain("faked");
  expect((await siege.says("describe_table", { database, table_name: "real" })).structured).toMatchObject({
    columns: [{ name: "a" }, { name: "b" }],
  });
  for (const query of [
    "SELECT * FROM dbstat",
    "SELECT * FROM pragma_database_list",
    "SELECT * FROM pragma_query_only",
    "SELECT * FROM sqlite_dbpage",
  ])
    expect(await siege.read(query, { database }), query).toMatchObject({ failed: true });
  await siege.judge({ plain: false });
});

test("SQL-26 an endless view is listed and described without being run, and its sample ends at the deadline", async () => {
  await using siege = await besiege({
    args: (base) => ["--timeout=1000", "--read-write", `${base}/ROOT/main.db`, `x=${base}/ROOT/hostile.db`],
    prepare: (made) => makeHostile(made.at("hostile.db"), byName("selves"), made.out),
  });
  const from = performance.now();
  for (const detail of ["names", "summary", "full"]) isSound(await siege.says("list_tables", { database: "x", detail }, 2500), detail);
  isSound(await siege.says("describe_table", { database: "x", table_name: "endless" }, 2500), "describe");
  expect(performance.now() - from).toBeLessThan(2500);
  expect((await siege.says("describe_table", { database: "x", table_name: "endless", sample_rows: 1 }, 3000)).failed).toBe(true);
  await siege.judge({ plain: false });
});

test("SQL-26 views upon views, each twice the one before, hide nothing and hold nobody up", async () => {
  const views = Array.from({ length: 300 }, (_, at) => `CREATE VIEW v${at + 1} AS SELECT a FROM v${at} UNION ALL SELECT a FROM v${at};`);
  await using siege = await besiege({
    sql: `CREATE TABLE real (a); INSERT INTO real VALUES ('hello'); CREATE VIEW v0 AS SELECT a FROM real; ${views.join("\n")}`,
  });
  const listed = await siege.says("list_tables", {});
  expect(listed.failed, listed.text).toBe(false);
  expect(listed.structured["tables"]).toHaveLength(303);
  expect(listed.structured["tables"]).toContainEqual({ name: "v0", type: "view", columns: ["a"] });
  expect((await siege.says("search_text", { query: "hello" })).structured["matches"]).toMatchObject([{ table: "real" }]);
  expect((await siege.says("check_database", {})).structured).toMatchObject({ ok: true });
  expect(await siege.says("describe_table", { table_name: "real" })).toMatchObject({ failed: false });
  expect(await siege.write("INSERT INTO real VALUES (2)")).toMatchObject({ failed: false });
  await siege.judge();
});

test("SQL-18 a table is described under exactly its name, and any other text is no table", async () => {
  await using siege = await sieged(byName("names"));
  const describe = (table_name: string) => siege.says("describe_table", { database: "x", table_name });
  for (const thing of byName("names").things) {
    expect(await describe(thing), thing).toMatchObject({ failed: false, structured: { table: thing, columns: expect.any(Array) } });
  }
  const others = [
    ...[
      "real); DROP TABLE real;--",
      'real" --',
      "'real'",
      "[real]",
      '"real"',
      "`real`",
      "real ",
      " real",
      "real;",
      "main.real",
      "REAL ",
      "",
    ],
    ...["real\n", "real\u0000", "x".repeat(10_000), "pragma_table_info", "sqlite_master", "%", "*", "real' OR '1'='1", "1; SELECT 1"],
  ];
  for (const other of others) {
    const said = await describe(other);
    expect(said.failed, other).toBe(true);
    expect(said.text, other).toMatch(/no such table|table_name/i);
    expect(said.text.length, other).toBeLessThan(400);
  }
  expect(rowsOf(siege.at("hostile.db"), "SELECT count(*) FROM real")).toEqual([[1]]);
  await siege.judge({ plain: false });
});
