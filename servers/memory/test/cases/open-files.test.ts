// What other programs do to the files of a memory while it is open: nothing that would be lost is acknowledged. Case MEM-15.
import { copyFileSync, openSync, closeSync, rmSync, statSync, truncateSync, writeSync } from "node:fs";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { Memory } from "../../src/graph/memory.ts";
import { entity } from "../support/graphs.ts";
import { serveInProcess, type InProcessServer } from "../support/in-process.ts";
import { onFilesOnly } from "../support/store-under-test.ts";

const PAGE = 4096;

/** A memory of some hundred pages, all of them in the database file. */
async function serveLarge(folder: TempFolder, faults: unknown[] = []): Promise<InProcessServer> {
  const file = folder.at("m.db");
  const server = await serveInProcess(file, { onFault: (_database, fault) => void (fault !== undefined && faults.push(fault)) });
  for (let number = 0; number < 5; number++)
    await server.call("create_entities", { entities: [entity(`e${number}`, "t", "x".repeat(200_000))] });
  checkpoint(file);
  return server;
}

/** As another program that uses the memory does. */
function checkpoint(file: string, statement?: string): void {
  const other = new Database(file);
  if (statement !== undefined) other.exec(statement);
  other.pragma("wal_checkpoint(TRUNCATE)");
  other.close();
}

function overwriteFirstPage(file: string): void {
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, Buffer.alloc(PAGE, 0x5a), 0, PAGE, 0);
  closeSync(descriptor);
}

describe("case MEM-15: files of an open memory", onFilesOnly(), () => {
  test.each([
    ["cut", (file: string) => truncateSync(file, 10 * PAGE)],
    ["emptied", (file: string) => truncateSync(file, 0)],
    ["overwritten", overwriteFirstPage],
  ])("refuses calls once another program has %s the database", async (_how, harm) => {
    await using folder = tempFolder();
    const faults: unknown[] = [];
    await using server = await serveLarge(folder, faults);
    harm(folder.at("m.db"));
    const refusal = expect.stringContaining("Memory database damaged: another program has written over its file");
    expect(await server.refuses("create_entities", { entities: [entity("b", "t")] })).toEqual(refusal);
    expect(await server.refuses("search_nodes", { query: "e1" })).toEqual(refusal);
    expect(new Set(faults)).toEqual(new Set(["damaged"]));
  });

  test.each([
    ["VACUUM", "DELETE FROM observation; VACUUM"],
    ["a change", "UPDATE entity SET extra = NULL"],
  ])("serves on after %s by another program that uses SQLite", async (_what, statement) => {
    await using folder = tempFolder();
    await using server = await serveLarge(folder);
    const before = statSync(folder.at("m.db")).size;
    checkpoint(folder.at("m.db"), statement);
    if (statement.includes("VACUUM")) expect(statSync(folder.at("m.db")).size).toBeLessThan(before / 2);
    await server.create("b");
    expect(await server.names()).toContain("b");
  });

  test("leaves the log of a database that is emptied", async () => {
    await using folder = tempFolder();
    await using server = await serveLarge(folder);
    await server.create("b");
    truncateSync(folder.at("m.db"), 0);
    for (let call = 0; call < 2; call++) expect(await server.refuses("read_graph")).toContain("another program has written over its file");
    expect(statSync(folder.at("m.db-wal")).size).toBeGreaterThan(0);
  });

  test("keeps what was acknowledged when the log of the database is deleted, and acknowledges nothing more", async () => {
    await using folder = tempFolder();
    await using server = await serveLarge(folder);
    await server.create("b");
    rmSync(folder.at("m.db-wal"));
    expect(await server.refuses("create_entities", { entities: [entity("c", "t")] })).toContain("m.db-wal deleted or replaced");
    // As after the end of the process without a word.
    copyFileSync(folder.at("m.db"), folder.at("copy.db"));
    await using next = await serveInProcess(folder.at("copy.db"));
    expect(await next.names()).toEqual(expect.arrayContaining(["e0", "e4", "b"]));
    expect(await next.names()).not.toContain("c");
  });
});

describe("case MEM-15: files of a memory that is closed while the server runs", () => {
  test.each([
    ["deleted", (file: string) => rmSync(file)],
    ["emptied", (file: string) => truncateSync(file, 0)],
  ])("are not created again where the database was %s, which hides the loss", async (_how, harm) => {
    await using folder = tempFolder();
    const location = { database: folder.at("m.db") };
    const openedDatabases = new Set<string>();
    const open = async (): Promise<void> => {
      const memory = new Memory({ location, openedDatabases });
      try {
        await memory.open();
      } finally {
        await memory.close();
      }
    };
    await open();
    await open();
    harm(location.database);
    await expect(open()).rejects.toThrow("moved, deleted or replaced while this server was running");
    // After a restart it is a new memory.
    openedDatabases.clear();
    await open();
  });
});
