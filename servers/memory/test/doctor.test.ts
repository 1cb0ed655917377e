// doctor: what is wrong with the store and its JSONL file, with the remedy. No store is created.
import { writeFileSync } from "node:fs";
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

test("quotes the path, the reason and the remedy of a start that fails, from the entry of a host", async () => {
  await using folder = tempFolder({ ".cursor": {} });
  const key = folder.at("missing/key");
  const entry = bin(["--embeddings", "http://127.0.0.1:1/v1/embeddings", "--embeddings-model", "m"], { OARLOCK_EMBEDDINGS_KEY_FILE: key });
  writeFileSync(folder.at(".cursor/mcp.json"), JSON.stringify({ mcpServers: { "oarlock-memory": entry } }));
  expect(await doctorFailures(bin(["doctor", "--json", "--db", folder.at("new.db")], { HOME: folder.path }))).toMatchObject([
    { name: "host Cursor", message: expect.stringContaining(key) },
  ]);
});

test("does not call an entry broken that cannot start read-only", async () => {
  await using folder = tempFolder({ ".cursor": {}, notes: {} });
  const entry = bin(["--db", folder.at("new.db"), "--mirror", folder.at("notes")]);
  writeFileSync(folder.at(".cursor/mcp.json"), JSON.stringify({ mcpServers: { "oarlock-memory": entry } }));
  expect(await doctorFailures(bin(["doctor", "--json", "--db", folder.at("new.db")], { HOME: folder.path }))).toEqual([]);
});
