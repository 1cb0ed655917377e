// doctor: what is wrong with the store and its JSONL file, with the remedy. No store is created.
import Database from "better-sqlite3";
import { doctorFailures, hashTree, tempFolder } from "@oarlock/testing";
import { expect, test, vi } from "vitest";
import { bin } from "./support/targets.ts";

vi.setConfig({ testTimeout: 60_000 });

test("creates no store", async () => {
  await using folder = tempFolder();
  const before = hashTree(folder.path);
  expect(await doctorFailures(bin(["doctor", "--json", "--db", folder.at("new.jsonl")]))).toEqual([]);
  expect(hashTree(folder.path)).toBe(before);
});

test("names damaged lines, another program's database, and a folder", async () => {
  const damaged = '{"type":"entity","name":"a","entityType":"b","observations":[]}\n{"type":"entity"}\nnonsense\n';
  await using folder = tempFolder({ "bad.jsonl": damaged, "folder.jsonl": {}, "text.db": "a text" });
  const other = new Database(folder.at("other.db"));
  other.exec("CREATE TABLE t (a)");
  other.close();
  const before = hashTree(folder.path);
  const expected = {
    "bad.jsonl": "line 2 (name is not a text), line 3 (not JSON)",
    "folder.jsonl": "is a directory",
    "text.db": "is not a SQLite database",
    "other.db": "a database of another program",
  };
  for (const [name, message] of Object.entries(expected)) {
    const checks = await doctorFailures(bin(["doctor", "--json", "--db", folder.at(name)]));
    expect(checks).toMatchObject([{ message: expect.stringContaining(message) }]);
  }
  expect(hashTree(folder.path)).toBe(before);
});
