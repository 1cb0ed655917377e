// Settings of connections, and files that are not there.
import { existsSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { openConnection } from "../../../src/db/engine/connection.ts";

const FULL = 2;

test.each(["delete", "wal"])("writes a commit to disk before it acknowledges it in journal mode %s", async (mode) => {
  await using folder = tempFolder();
  const file = join(folder.path, "shop.db");
  const created = new Database(file);
  created.pragma(`journal_mode = ${mode}`);
  created.exec("CREATE TABLE notes (text)");
  created.close();
  const db = openConnection({ file, label: "shop", write: true });
  try {
    expect(db.pragma("journal_mode", { simple: true })).toBe(mode);
    expect(db.pragma("synchronous", { simple: true })).toBe(FULL);
  } finally {
    db.close();
  }
});

test.each([
  [true, { foreign_keys: 1, trusted_schema: 0, cell_size_check: 1, query_only: 0 }],
  [false, { trusted_schema: 0, cell_size_check: 1, query_only: 1 }],
])("opens a connection that may write (%s) with safe settings", async (write, settings) => {
  await using folder = tempFolder();
  const file = folder.at("shop.db");
  new Database(file).exec("CREATE TABLE notes (text)").close();
  const db = openConnection({ file, label: "shop", write });
  try {
    for (const [name, value] of Object.entries(settings)) expect(db.pragma(name, { simple: true }), name).toBe(value);
  } finally {
    db.close();
  }
});

test.each([
  [true, "not-found"],
  [false, "needs-recovery"],
])("creates no missing file by a connection that may write (%s)", async (write, code) => {
  await using folder = tempFolder();
  const file = folder.at("none.db");
  expect(() => openConnection({ file, label: "shop", write })).toThrow(expect.objectContaining({ code }) as Error);
  expect(existsSync(file)).toBe(false);
});

test("creates a file on request, but not its folder", async () => {
  await using folder = tempFolder();
  openConnection({ file: folder.at("new.db"), label: "shop", write: true, create: true }).close();
  expect(existsSync(folder.at("new.db"))).toBe(true);
  expect(() => openConnection({ file: folder.at("none/new.db"), label: "shop", write: true, create: true })).toThrow(
    expect.objectContaining({ code: "not-found" }) as Error,
  );
});
