// The write-ahead log: a database that refuses it is reported.
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { createMemoryFile } from "../../../src/graph/memory-files.ts";
import { openDatabase } from "../../../src/graph/sqlite/driver.ts";
import { useWriteAheadLog } from "../../../src/graph/store/write-ahead-log.ts";

test("reports no database that takes the log", async () => {
  await using folder = tempFolder();
  const warnings: string[] = [];
  createMemoryFile(folder.at("m.db"));
  const db = openDatabase(folder.at("m.db"), {});
  useWriteAheadLog(db, (message) => warnings.push(message));
  expect(db.pragma("journal_mode", { simple: true })).toBe("wal");
  db.close();
  expect(warnings).toEqual([]);
});

test("reports a database that refuses the log", () => {
  const warnings: string[] = [];
  // SQLite keeps no log for a database in memory, as for one in a folder without shared memory.
  const db = openDatabase(":memory:", {});
  useWriteAheadLog(db, (message) => warnings.push(message));
  db.close();
  expect(warnings).toEqual([expect.stringMatching(/does not support SQLite's write-ahead log, .* Name a file on a local disk/)]);
});
