// The databases of a server after its end, and with damage.
import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { childProcesses, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { childFile } from "../../src/child-file.ts";
import { Databases } from "../../src/db/databases.ts";
import { makeDatabase } from "../support/databases.ts";

const caller = { signal: new AbortController().signal };

test("starts no process for a call that is still on its way when the server ends", async () => {
  await using folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), "CREATE TABLE t (a)");
  const databases = new Databases([{ name: "shop", file, write: true }], { script: childFile, maxTimeoutMs: 60_000 });
  const before = childProcesses(process.pid);
  const database = databases.get("shop");
  await databases.close();
  await expect(database.read({ op: "versions" }, caller)).rejects.toThrow("The server is shutting down.");
  await expect(database.change({ op: "recover" }, caller)).rejects.toThrow("The server is shutting down.");
  await database.startEarly();
  expect(childProcesses(process.pid).filter((child) => !before.includes(child))).toEqual([]);
});

test("starts no reader early after a change", async () => {
  await using folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), "CREATE TABLE t (a)");
  const databases = new Databases([{ name: "shop", file, write: true }], { script: childFile, maxTimeoutMs: 60_000 });
  const database = databases.get("shop");
  await database.change({ op: "recover" }, caller);
  const before = childProcesses(process.pid);
  await database.startEarly();
  expect(childProcesses(process.pid).filter((child) => !before.includes(child))).toEqual([]);
  await databases.close();
});

test.each([
  ["deleted", true, (file: string) => rmSync(file)],
  ["emptied", true, (file: string) => truncateSync(file, 0)],
  ["emptied", false, (file: string) => truncateSync(file, 0)],
])("refuses calls while a database is %s that had content, created on first use: %s", async (_how, create, harm) => {
  await using folder = tempFolder({});
  const file = makeDatabase(folder.at("shop.db"), "CREATE TABLE t (a); INSERT INTO t VALUES ('kept')");
  const databases = new Databases([{ name: "shop", file, write: true, create }], { script: childFile, maxTimeoutMs: 60_000 });
  const shop = databases.get("shop");
  const first = () => shop.read({ op: "value", table: "t", column: "a", rowid: "1", maxBytes: 100 }, caller);
  const whole = readFileSync(file);
  await first();
  harm(file);
  const lost = "shop was deleted or emptied while the server runs. Nothing was changed. Restore its file";
  await expect(first()).rejects.toThrow(lost);
  await expect(shop.change({ op: "recover" }, caller)).rejects.toThrow(lost);
  expect(statSync(file, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  writeFileSync(file, whole);
  expect((await first()).reply).toMatchObject({ text: "kept" });
  await databases.close();
});

test("tells the operator of a file whose pages are damaged, and not of a file of text", async () => {
  await using folder = tempFolder({ "text.db": "no database, and longer than the header of one is: ".repeat(20) });
  const file = makeDatabase(folder.at("shop.db"), "CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(20000)), (1)");
  writeFileSync(file, readFileSync(file).fill(0xa5, 4096));
  const found: string[] = [];
  const specs = [file, folder.at("text.db")].map((path) => ({ name: path, file: path, write: false }));
  const databases = new Databases(specs, { script: childFile, maxTimeoutMs: 60_000, onDamage: (path) => void found.push(path) });
  for (const { name } of specs)
    await expect(databases.get(name).read({ op: "value", table: "t", column: "a", rowid: "2", maxBytes: 100 }, caller)).rejects.toThrow(
      /damaged|not a SQLite/,
    );
  await databases.close();
  expect(found).toEqual([file]);
});
