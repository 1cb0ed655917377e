// A stopped change leaves no journal behind, so that another program can open the database for reading.
import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import { tempFolder, waitUntil } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { makeDatabase } from "../../support/databases.ts";
import { openShop } from "../../support/shop.ts";
import { startServer } from "../../support/server-process.ts";

const ENDLESS =
  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) INSERT INTO notes SELECT i, 'a line of some length' FROM n";
const SQL = "CREATE TABLE notes (id INTEGER PRIMARY KEY, line TEXT); INSERT INTO notes VALUES (0, 'first')";

const isRemoved = (exists: boolean): boolean => !exists;

function countReadOnly(file: string): number {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare("SELECT count(*) FROM notes").pluck().get() as number;
  } finally {
    db.close();
  }
}

describe.each([
  ["write_query", { query: ENDLESS }],
  ["run_transaction", { statements: [{ query: "DELETE FROM notes" }, { query: ENDLESS }] }],
])("%s", (tool, args) => {
  test("leaves no journal after its time limit", async () => {
    await using shop = await openShop({ sql: SQL });
    await shop.call("write_query", { query: "UPDATE notes SET line = 'started'" });
    const failure = shop.failure(tool, { ...args, timeout_ms: 8000 });
    await waitUntil(
      () => existsSync(`${shop.file}-journal`),
      (exists) => exists,
      20_000,
    );
    expect(await failure).toContain("Stopped after 8000 ms");
    await waitUntil(() => existsSync(`${shop.file}-journal`), isRemoved, 20_000);
    expect(countReadOnly(shop.file)).toBe(1);
    expect(await shop.rows("SELECT count(*) FROM notes")).toEqual([[1]]);
  });
});

test("a server that exits during a change leaves no journal", async () => {
  await using folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), SQL);
  await using server = await startServer(["--read-write", file]);
  const reply = server.call("write_query", { query: ENDLESS });
  await waitUntil(
    () => existsSync(`${file}-journal`),
    (exists) => exists,
    20_000,
  );
  server.process.kill("SIGTERM");
  await reply;
  await waitUntil(() => existsSync(`${file}-journal`), isRemoved, 20_000);
  expect(countReadOnly(file)).toBe(1);
});
