// SQL-26 and SQL-18: databases with a hostile schema, and names that contain SQL.
import type { ToolReply } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { rowsOf } from "../support/databases.ts";
import { HOSTILE, makeHostile, type Hostile } from "./corpus.ts";
import { startStress, type StressRun } from "./stress.ts";

const startHostile = (hostile: Hostile): Promise<StressRun> =>
  startStress({
    args: (base) => ["--read-write", `${base}/ROOT/main.db`, `x=${base}/ROOT/hostile.db`],
    prepare: (stress) => makeHostile(stress.at("hostile.db"), hostile, stress.out),
  });

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Each statement that exceeds it costs the start of a process. */
const TIME_LIMIT_MS = 200;
const TEST_TIMEOUT_MS = 300_000;

/** Expects a message of limited length, without data that only the payload can produce. */
function expectHarmless({ text, failed }: ToolReply, about: string): void {
  expect(text, about).not.toMatch(/Internal error|[0-9A-F]{16}|"query_only":0/);
  if (failed) expect(text.length, about).toBeLessThan(1500);
}

/** Expects a result, and so no read of the view, which would exceed the time limit. */
function expectListed(reply: ToolReply, about: string): void {
  expect(reply.failed, `${about}: ${reply.text}`).toBe(false);
  expectHarmless(reply, about);
}

describe.each(HOSTILE.map((hostile) => [hostile.name, hostile] as const))("SQL-26 %s", (_, hostile) => {
  test(
    "no tool runs code of the schema",
    async () => {
      await using stress = await startHostile(hostile);
      const database = "x";
      for (const [tool, args] of [
        ["list_tables", { detail: "full" }],
        ["search_text", { query: "hello" }],
        ["check_database", {}],
        ["read_query", { query: "SELECT * FROM real" }],
        ["read_query", { query: "PRAGMA integrity_check" }],
      ] as const)
        expectHarmless(await stress.reply(tool, { database, ...args }), tool);
      for (const object of hostile.objects) {
        const name = quoted(object);
        expectHarmless(await stress.reply("describe_table", { database, table_name: object }), `describe ${object}`);
        for (const query of [`SELECT * FROM ${name}`, `SELECT count(*) FROM ${name}`])
          expectHarmless(await stress.read(query, { database, timeout_ms: TIME_LIMIT_MS }), query);
        for (const query of [`INSERT INTO ${name} DEFAULT VALUES`, `UPDATE ${name} SET rowid = rowid`, `DELETE FROM ${name}`])
          expectHarmless(await stress.write(query, { database, timeout_ms: TIME_LIMIT_MS }), query);
        const dryRun = await stress.write(`DELETE FROM ${name}`, { database, timeout_ms: TIME_LIMIT_MS, dry_run: true });
        expectHarmless(dryRun, `dry run ${object}`);
        expectHarmless(await stress.reply("explain_query", { database, query: `SELECT * FROM ${name}` }), `explain ${object}`);
      }
      expect((await stress.read("SELECT word FROM plain", { database: "main" })).structured).toMatchObject({ rows: [["plain"]] });
      await stress.checkRules({ plain: false });
    },
    TEST_TIMEOUT_MS,
  );
});

const byName = (name: string): Hostile => HOSTILE.find((hostile) => hostile.name === name)!;

test("SQL-26 tables named like SQLite's table-valued pragmas change no schema tool", async () => {
  await using stress = await startHostile(byName("catalogue"));
  const database = "x";
  const { structured } = await stress.reply("list_tables", { database });
  expect((structured["tables"] as { name: string }[]).map(({ name }) => name)).toContain("real");
  expect((structured["tables"] as { name: string }[]).map(({ name }) => name)).not.toContain("faked");
  expect((await stress.reply("describe_table", { database, table_name: "real" })).structured).toMatchObject({
    columns: [{ name: "a" }, { name: "b" }],
  });
  for (const query of [
    "SELECT * FROM dbstat",
    "SELECT * FROM pragma_database_list",
    "SELECT * FROM pragma_query_only",
    "SELECT * FROM sqlite_dbpage",
  ])
    expect(await stress.read(query, { database }), query).toMatchObject({ failed: true });
  await stress.checkRules({ plain: false });
});

test("SQL-26 describe_table stops the sample of an endless view at its time limit", async () => {
  await using stress = await startStress({
    args: (base) => ["--timeout=1000", `${base}/ROOT/main.db`, `x=${base}/ROOT/hostile.db`],
    prepare: (harness) => makeHostile(harness.at("hostile.db"), byName("cycles"), harness.out),
  });
  const args = { database: "x", table_name: "endless", sample_rows: 1 };
  expect((await stress.reply("describe_table", args)).text).toMatch(/(?:Timed out|topped) after 1000 ms/);
  await stress.checkRules({ plain: false });
});

test("SQL-26 list_tables and describe_table do not run an endless view", async () => {
  await using stress = await startHostile(byName("cycles"));
  for (const detail of ["names", "summary", "full"]) expectListed(await stress.reply("list_tables", { database: "x", detail }), detail);
  expectListed(await stress.reply("describe_table", { database: "x", table_name: "endless" }), "describe");
  await stress.checkRules({ plain: false });
});

test("SQL-26 schema tools do not compile a chain of 300 views", async () => {
  const views = Array.from({ length: 300 }, (_, at) => `CREATE VIEW v${at + 1} AS SELECT a FROM v${at} UNION ALL SELECT a FROM v${at};`);
  await using stress = await startStress({
    sql: `CREATE TABLE real (a); INSERT INTO real VALUES ('hello'); CREATE VIEW v0 AS SELECT a FROM real; ${views.join("\n")}`,
  });
  const listed = await stress.reply("list_tables", {});
  expect(listed.failed, listed.text).toBe(false);
  expect(listed.structured["tables"]).toHaveLength(303);
  expect(listed.structured["tables"]).toContainEqual({ name: "v0", type: "view", columns: ["a"] });
  expect((await stress.reply("search_text", { query: "hello" })).structured["matches"]).toMatchObject([{ table: "real" }]);
  expect((await stress.reply("check_database", {})).structured).toMatchObject({ ok: true });
  expect(await stress.reply("describe_table", { table_name: "real" })).toMatchObject({ failed: false });
  expect(await stress.write("INSERT INTO real VALUES (2)")).toMatchObject({ failed: false });
  await stress.checkRules();
});

test("SQL-18 servers#1348 servers#3314 servers#1367 servers#3663 describe_table accepts exact names only", async () => {
  await using stress = await startHostile(byName("names"));
  const describe = (table_name: string) => stress.reply("describe_table", { database: "x", table_name });
  for (const object of byName("names").objects) {
    expect(await describe(object), object).toMatchObject({ failed: false, structured: { table: object, columns: expect.any(Array) } });
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
    const reply = await describe(other);
    expect(reply.failed, other).toBe(true);
    expect(reply.text, other).toMatch(/no such table|table_name/i);
    expect(reply.text.length, other).toBeLessThan(400);
  }
  expect(rowsOf(stress.at("hostile.db"), "SELECT count(*) FROM real")).toEqual([[1]]);
  await stress.checkRules({ plain: false });
});
