// doctor: what is wrong with the store and its JSONL file, with the remedy. No store is created.
import { rmSync, writeFileSync } from "node:fs";
import Database from "better-sqlite3";
import { hashTree, tempFolder, withMode } from "@oarlock/testing";
import { expect, test } from "vitest";
import { checkMachine, type CheckedOptions } from "../src/doctor.ts";
import { openStore } from "../src/graph/store/open-store.ts";

/** The failed checks of a store. */
async function failures(db: string, more: Partial<CheckedOptions> = {}) {
  const checks = await checkMachine({ db, mirror: undefined, embeddingsKeyFile: undefined, readOnly: false, env: {}, ...more });
  return checks.filter(({ ok }) => !ok);
}

test("creates no store", async () => {
  await using folder = tempFolder();
  const before = hashTree(folder.path);
  expect(await failures(folder.at("new.jsonl"))).toEqual([]);
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
    const checks = await failures(folder.at(name));
    expect(checks, name).toMatchObject([{ message: expect.stringContaining(message), remedy: expect.stringMatching(/./) }]);
  }
  expect(hashTree(folder.path)).toBe(before);
});

test("names a key file that is missing or that others may read, and a file in place of the notes", async () => {
  await using folder = tempFolder({ key: withMode(0o644, "sk-1"), notes: "a file" });
  const db = folder.at("new.db");
  const found = await failures(db, { mirror: folder.at("notes"), embeddingsKeyFile: folder.at("key") });
  expect(found.map(({ name }) => name)).toEqual(["notes", "embeddings-key-file"]);
  expect(found[1]).toMatchObject({ remedy: `Make it private: chmod 600 ${folder.at("key")}` });
  expect(await failures(db, { embeddingsKeyFile: folder.at("none") })).toMatchObject([{ name: "embeddings-key-file" }]);
});

test("looks at the memories of users and projects, too", async () => {
  await using folder = tempFolder();
  for (const name of ["m.db", "m.user-0a.db", "m.user-0b.db"]) (await openStore(folder.at(name))).close();
  const all = { db: folder.at("m.db"), mirror: undefined, embeddingsKeyFile: undefined, readOnly: false, env: {} };
  const found = (await checkMachine(all)).find(({ name }) => name === "stores of users and projects");
  expect(found).toMatchObject({ ok: true, message: "2 memories can be opened, and none is damaged." });
  rmSync(folder.at("m.db")); // a service where each user has an own memory may have no other
  writeFileSync(folder.at("m.user-0b.db"), "no database".repeat(400));
  expect(await failures(folder.at("m.db"))).toMatchObject([{ message: expect.stringMatching(/m\.user-0b\.db" is not a SQLite database/) }]);
});
