// How the connections that may write are set.
import { join } from "node:path";
import Database from "better-sqlite3";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { openConnection } from "../../../src/db/engine/connection.ts";

const FULL = 2;

test.each(["delete", "wal"])("a commit is on the disk before it is acknowledged, journal mode %s", async (mode) => {
  await using folder = tempFolder();
  const file = join(folder.path, "shop.db");
  const made = new Database(file);
  made.pragma(`journal_mode = ${mode}`);
  made.exec("CREATE TABLE notes (text)");
  made.close();
  const db = openConnection({ file, label: "shop", write: true });
  try {
    expect(db.pragma("journal_mode", { simple: true })).toBe(mode);
    expect(db.pragma("synchronous", { simple: true })).toBe(FULL);
  } finally {
    db.close();
  }
});
