// Settings of connections that may write.
import { join } from "node:path";
import Database from "better-sqlite3";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { openConnection } from "../../../src/db/engine/connection.ts";

const FULL = 2;

test.each(["delete", "wal"])("a commit is on disk before it is acknowledged in journal mode %s", async (mode) => {
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
