// SQL-26 and SQL-18: databases with a hostile schema, and names that contain SQL. hostile-schema.deep.test.ts tries every tool on
// every database of the corpus.
import type { ToolReply } from "@oarlock/testing";
import { expect, test } from "vitest";
import { rowsOf } from "../support/databases.ts";
import { byName, expectHarmless, openHostile } from "./hostile-schema.ts";

/** Expects a result, and so no read of the view, which would exceed the time limit. */
function expectListed(reply: ToolReply, about: string): void {
  expect(reply.failed, `${about}: ${reply.text}`).toBe(false);
  expectHarmless(reply, about);
}

test("SQL-26 ignores tables named like SQLite's table-valued pragmas in every schema tool", async () => {
  await using fortress = await openHostile(byName("catalogue"));
  const database = "x";
  const { structured } = await fortress.reply("list_tables", { database });
  expect((structured["tables"] as { name: string }[]).map(({ name }) => name)).toContain("real");
  expect((structured["tables"] as { name: string }[]).map(({ name }) => name)).not.toContain("faked");
  expect((await fortress.reply("describe_table", { database, table_name: "real" })).structured).toMatchObject({
    columns: [{ name: "a" }, { name: "b" }],
  });
  for (const query of [
    "SELECT * FROM dbstat",
    "SELECT * FROM pragma_database_list",
    "SELECT * FROM pragma_query_only",
    "SELECT * FROM sqlite_dbpage",
  ])
    expect(await fortress.read(query, { database }), query).toMatchObject({ failed: true });
  await fortress.checkRules();
});

test("SQL-26 list_tables and describe_table do not run an endless view", async () => {
  await using fortress = await openHostile(byName("cycles"));
  for (const detail of ["names", "summary", "full"]) expectListed(await fortress.reply("list_tables", { database: "x", detail }), detail);
  expectListed(await fortress.reply("describe_table", { database: "x", table_name: "endless" }), "describe");
  await fortress.checkRules();
});

test("SQL-18 servers#1348 servers#3314 servers#1367 servers#3663 describe_table accepts exact names only", async () => {
  await using fortress = await openHostile(byName("names"));
  const describe = (table_name: string) => fortress.reply("describe_table", { database: "x", table_name });
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
  expect(rowsOf(fortress.at("x.db"), "SELECT count(*) FROM real")).toEqual([[1]]);
  await fortress.checkRules();
});
