// SQL-26: every tool on every database of the corpus. Many of these statements are stopped at their time limit, or end their process.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HOSTILE, makeHostile } from "./corpus.ts";
import { openFortress, type Fortress } from "./fortress.ts";
import { byName, expectHarmless } from "./hostile-schema.ts";

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Views that would be read for long. On all others a limit would stop statements of a busy machine before they are tried. */
const ENDLESS: readonly string[] = ["endless", "giant"];
const TIME_LIMIT = { timeout_ms: 200 };

describe("SQL-26", () => {
  let fortress: Fortress;

  beforeAll(async () => {
    fortress = await openFortress({
      others: HOSTILE.map(({ name }) => `${name}.db`),
      prepare: (run) => HOSTILE.forEach((hostile) => makeHostile(run.at(`${hostile.name}.db`), hostile, run.out)),
    });
  });

  afterAll(() => fortress[Symbol.asyncDispose]());

  test.each(HOSTILE.map(({ name, objects }) => [name, objects] as const))(
    "%s: runs no code of the schema in any tool",
    async (database, objects) => {
      for (const [tool, args] of [
        ["list_tables", { detail: "full" }],
        ["search_text", { query: "hello" }],
        ["check_database", {}],
        ["read_query", { query: "SELECT * FROM real" }],
        ["read_query", { query: "PRAGMA integrity_check" }],
      ] as const)
        expectHarmless(await fortress.reply(tool, { database, ...args }), tool);
      for (const object of objects) {
        const name = quoted(object);
        const options = { database, ...(ENDLESS.includes(object) && TIME_LIMIT) };
        expectHarmless(await fortress.reply("describe_table", { database, table_name: object }), `describe ${object}`);
        for (const query of [`SELECT * FROM ${name}`, `SELECT count(*) FROM ${name}`])
          expectHarmless(await fortress.read(query, options), query);
        for (const query of [`INSERT INTO ${name} DEFAULT VALUES`, `UPDATE ${name} SET rowid = rowid`, `DELETE FROM ${name}`])
          expectHarmless(await fortress.write(query, options), query);
        const dryRun = await fortress.write(`DELETE FROM ${name}`, { ...options, dry_run: true });
        expectHarmless(dryRun, `dry run ${object}`);
        expectHarmless(await fortress.reply("explain_query", { database, query: `SELECT * FROM ${name}` }), `explain ${object}`);
      }
      await fortress.checkRules();
    },
  );
});

test("SQL-26 describe_table stops the sample of an endless view at its time limit", async () => {
  await using fortress = await openFortress({
    maxTimeoutMs: 1000,
    others: ["x.db"],
    prepare: (run) => makeHostile(run.at("x.db"), byName("cycles"), run.out),
  });
  const args = { database: "x", table_name: "endless", sample_rows: 1 };
  expect((await fortress.reply("describe_table", args)).text).toMatch(/(?:Timed out|topped) after 1000 ms/);
  await fortress.checkRules();
});

/** Each view reads the one before it twice: SQLite refuses those upon more than sixteen others. */
const CHAIN = process.env["OARLOCK_LONG"] === "1" ? 300 : 40;

test("SQL-26 compiles no chain of views for schema tools", async () => {
  const views = Array.from({ length: CHAIN }, (_, at) => `CREATE VIEW v${at + 1} AS SELECT a FROM v${at} UNION ALL SELECT a FROM v${at};`);
  await using fortress = await openFortress({
    sql: `CREATE TABLE real (a); INSERT INTO real VALUES ('hello'); CREATE VIEW v0 AS SELECT a FROM real; ${views.join("\n")}`,
  });
  const listed = await fortress.reply("list_tables", {});
  expect(listed.failed, listed.text).toBe(false);
  expect(listed.structured["tables"]).toHaveLength(CHAIN + 3);
  expect(listed.structured["tables"]).toContainEqual({ name: "v0", type: "view", columns: ["a"] });
  expect((await fortress.reply("search_text", { query: "hello" })).structured["matches"]).toMatchObject([{ table: "real" }]);
  const { structured: health } = await fortress.reply("check_database", {});
  // SQLite refuses views upon too many others; what takes too long is named.
  expect(health).toMatchObject({ ok: false, quick_check: ["ok"], foreign_keys: [], indexes: { redundant: [] }, schema: { missing: [] } });
  const { broken, notChecked = [] } = health["schema"] as { broken: { error: string }[]; notChecked?: object[] };
  expect(broken.map(({ error }) => error)).toEqual(broken.map(() => expect.stringMatching(/^too many references/)));
  expect(broken.length + notChecked.length).toBeGreaterThan(0);
  expect(await fortress.reply("describe_table", { table_name: "real" })).toMatchObject({ failed: false });
  expect(await fortress.write("INSERT INTO real VALUES (2)")).toMatchObject({ failed: false });
  await fortress.checkRules();
});
