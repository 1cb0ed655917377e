// SQL-32 and SQL-19: locks of other programs, and create_table with a query that never ends.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openDatabase } from "../support/databases.ts";
import { openFortress } from "./fortress.ts";

test("SQL-19 create_table creates no table from a query that does not end", async () => {
  await using fortress = await openFortress({ maxTimeoutMs: 3000 });
  const query =
    "CREATE TABLE e AS WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT i, hex(zeroblob(1000)) AS z FROM c";
  expect((await fortress.reply("create_table", { query })).text).toMatch(/topped after 3000 ms/);
  // On a busy machine the rollback of the stopped statement takes longer than one call may.
  await expect.poll(async () => (await fortress.read("SELECT 1 FROM t")).failed).toBe(false);
  expect(await fortress.rows("SELECT name FROM sqlite_schema WHERE name = 'e'")).toEqual([]);
  await fortress.checkRules();
});

test("SQL-32 mksglu/context-mode#218 mksglu/context-mode#735 reports an exclusive lock of another program as busy in every tool and changes nothing", async () => {
  await using fortress = await openFortress();
  await fortress.checkHealth();
  using other = openDatabase(fortress.file);
  other.exec("BEGIN EXCLUSIVE");
  const calls = await Promise.all([
    fortress.read("SELECT * FROM t"),
    fortress.write("UPDATE t SET n = 0"),
    fortress.write("UPDATE t SET n = 0", { dry_run: true }),
    fortress.reply("list_tables", {}),
    fortress.reply("run_transaction", { statements: [{ query: "DELETE FROM t" }] }),
  ]);
  for (const reply of calls) expect(reply).toMatchObject({ failed: true, text: expect.stringMatching(/busy|locked/i) });
  other.exec("ROLLBACK");
  expect(await fortress.rows("SELECT sum(n) FROM t")).toEqual([[60]]);
  other.close();
  await fortress.checkRules();
});

test("SQL-32 makes a writer wait for a lock of another program while readers continue", async () => {
  await using fortress = await openFortress();
  await fortress.checkHealth();
  using other = openDatabase(fortress.file);
  other.exec("BEGIN IMMEDIATE");
  const write = fortress.write("UPDATE t SET n = 0 WHERE id = 1");
  expect(await fortress.rows("SELECT sum(n) FROM t")).toEqual([[60]]);
  await sleep(400);
  other.exec("COMMIT");
  expect((await write).structured).toMatchObject({ changes: 1 });
  other.close();
  await fortress.checkRules();
});

test("SQL-32 makes a call that starts a process wait for a lock too", async () => {
  await using fortress = await openFortress();
  await fortress.checkHealth();
  using other = openDatabase(fortress.file);
  other.pragma("journal_mode = DELETE");
  // A reader that exceeds its time limit is replaced by a new process.
  await fortress.read("WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT count(*) FROM c", { timeout_ms: 300 });
  other.exec("BEGIN EXCLUSIVE");
  const calls = ["list_tables", "check_database", "search_text"].map((tool) => fortress.reply(tool, { query: "x001" }));
  await sleep(700);
  other.exec("COMMIT");
  for (const reply of await Promise.all(calls)) expect(reply.failed, reply.text).toBe(false);
  other.close();
  await fortress.checkRules();
});
