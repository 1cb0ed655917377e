// A stopped change leaves no journal behind, so that another program can open the database for reading.
import { closeSync, openSync, readSync } from "node:fs";
import Database from "better-sqlite3";
import { tempFolder, waitUntil } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { makeDatabase } from "../../support/databases.ts";
import { openShop } from "../../support/shop.ts";
import { startServer } from "../../support/server-process.ts";

const ENDLESS =
  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) INSERT INTO notes SELECT i, 'a line of some length' FROM n";
const SQL = "CREATE TABLE notes (id INTEGER PRIMARY KEY, line TEXT); INSERT INTO notes VALUES (0, 'first')";

/**
 * Whether the journal holds what has to be rolled back. SQLite creates it earlier, with a header of zeros: until the first page is written to the
 * database, readers need not look at it. https://www.sqlite.org/lockingv3.html#hot_journals
 */
function hasHotJournal(file: string): boolean {
  let journal: number;
  try {
    journal = openSync(`${file}-journal`, "r");
  } catch {
    return false; // removed
  }
  try {
    const first = Buffer.alloc(1);
    return readSync(journal, first, 0, 1, 0) === 1 && first[0] !== 0;
  } finally {
    closeSync(journal);
  }
}
const isTrue = (value: boolean): boolean => value;
const isFalse = (value: boolean): boolean => !value;

function countReadOnly(file: string): number {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare("SELECT count(*) FROM notes").pluck().get() as number;
  } finally {
    db.close();
  }
}

/** On a busy machine the first may pass before the change has written anything. */
const LIMITS_MS = [3000, 10_000, 30_000];

/** Whether the journal becomes hot before a call has ended. */
async function isHotBefore(call: Promise<unknown>, file: string): Promise<boolean> {
  let hasEnded = false;
  void call.finally(() => (hasEnded = true));
  await waitUntil(() => hasEnded || hasHotJournal(file), isTrue);
  return !hasEnded;
}

describe.each([
  ["write_query", { query: ENDLESS }],
  ["run_transaction", { statements: [{ query: "DELETE FROM notes" }, { query: ENDLESS }] }],
])("%s", (tool, args) => {
  test("leaves no journal after its time limit", async () => {
    await using shop = await openShop({ sql: SQL });
    await shop.call("write_query", { query: "UPDATE notes SET line = 'started'" });
    let hadJournal = false;
    for (const timeout_ms of LIMITS_MS) {
      const failure = shop.failure(tool, { ...args, timeout_ms });
      hadJournal = await isHotBefore(failure, shop.file);
      expect(await failure).toContain(`Stopped after ${timeout_ms} ms`);
      if (hadJournal) break;
    }
    expect(hadJournal).toBe(true);
    await waitUntil(() => hasHotJournal(shop.file), isFalse);
    expect(countReadOnly(shop.file)).toBe(1);
    expect(await shop.rows("SELECT count(*) FROM notes")).toEqual([[1]]);
  });
});

test("leaves no journal when a server exits during a change", async () => {
  await using folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), SQL);
  await using server = await startServer(["--read-write", file]);
  const reply = server.call("write_query", { query: ENDLESS });
  await waitUntil(() => hasHotJournal(file), isTrue);
  server.process.kill("SIGTERM");
  await reply;
  await waitUntil(() => hasHotJournal(file), isFalse);
  expect(countReadOnly(file)).toBe(1);
});
