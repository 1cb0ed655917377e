// The databases of a server after its end.
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
