// Files that a stranger plants beside a memory, as in a synced folder: links, pipes, folders and databases of other programs. None is
// followed, waited for or emptied, each is named, and the server goes on.
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { needs, tempFolder, type TempFolder } from "@oarlock/testing";
import { afterEach, describe, expect, test, vi } from "vitest";
import { configuredLocation, locate } from "../../src/configured-location.ts";
import { Memory } from "../../src/graph/memory.ts";
import { backupsOf, makeBackup } from "../../src/graph/store/backups.ts";
import { entity } from "../support/graphs.ts";
import { serveInProcess, type InProcessServer } from "../support/in-process.ts";
import { namesIn } from "../support/mirror-file.ts";
import { plantPipe, PURGE, serveInSyncedFolder } from "../support/planted-files.ts";

afterEach(() => void vi.useRealTimers());

describe("the database", () => {
  const link = (folder: TempFolder, name: string): void => symlinkSync(folder.at("outside/created.db"), folder.at("sync", name));

  test("is not created where a dangling link has its name beside the JSONL file", async () => {
    await using folder = tempFolder({ outside: {}, sync: {} });
    link(folder, "m.jsonl.db");
    expect(() => locate(folder.at("sync/m.jsonl"), {})).toThrow("m.jsonl.db is a symbolic link: expected a regular file. Remove the link.");
    const memory = new Memory({ location: { database: folder.at("sync/m.jsonl.db"), mirror: folder.at("sync/m.jsonl") } });
    await expect(memory.open()).rejects.toThrow("m.jsonl.db is a symbolic link");
    expect(readdirSync(folder.at("outside"))).toEqual([]);
    expect(readdirSync(folder.at("sync"))).toEqual(["m.jsonl.db"]);
  });

  test.each(["m.db-wal", "m.db-shm", "m.db-journal"])(
    "is not opened beside a link, a pipe or a folder named %s",
    needs("named pipes"),
    async (name) => {
      await using folder = tempFolder({ outside: {}, sync: {} });
      const path = folder.at("sync", name);
      const opens = async (): Promise<void> => {
        const memory = new Memory({ location: { database: folder.at("sync/m.db") } });
        try {
          await memory.open();
        } finally {
          await memory.close();
        }
      };
      await opens();
      for (const kept of readdirSync(folder.at("sync"))) if (kept !== "m.db") rmSync(folder.at("sync", kept));
      link(folder, name);
      await expect(opens()).rejects.toThrow(`File ${name} is a symbolic link: expected a regular file. Remove the link.`);
      rmSync(path);
      mkdirSync(path);
      await expect(opens()).rejects.toThrow(`File ${name} is a directory: expected a regular file. Remove it.`);
      rmSync(path, { recursive: true });
      {
        using _pipe = plantPipe(path);
        await expect(opens()).rejects.toThrow(`File ${name} is a pipe: expected a regular file. Remove it.`);
      }
      rmSync(path);
      await opens();
      expect(readdirSync(folder.at("outside"))).toEqual([]);
    },
  );

  test("is refused as moved where a link to the moved file has its name", async () => {
    await using at = await serveInSyncedFolder();
    renameSync(at.folder.at("sync/m.db"), at.folder.at("outside/moved.db"));
    symlinkSync(at.folder.at("outside/moved.db"), at.folder.at("sync/m.db"));
    expect(await at.server.refuses("create_entities", { entities: [entity("b", "t")] })).toContain("moved, deleted or replaced");
  });

  test("is opened through a link of the operator in the user's data folder", async () => {
    await using folder = tempFolder({ dotfiles: {} });
    const database = folder.at("data/oarlock/memory/memory.db");
    mkdirSync(dirname(database), { recursive: true });
    symlinkSync(folder.at("dotfiles/memory.db"), database);
    const location = configuredLocation(undefined, { XDG_DATA_HOME: folder.at("data") });
    if (process.platform === "linux") expect(location).toEqual({ database: folder.at("dotfiles/memory.db") });
  });
});

describe("a backup", () => {
  /** Deletes more than half of the entities in the JSONL file, which makes a backup first. */
  async function emptyFile(folder: TempFolder): Promise<InProcessServer> {
    const first = await serveInProcess(folder.at("sync/m.jsonl"));
    await first.create("a", "b", "c");
    await first.close();
    writeFileSync(folder.at("sync/m.jsonl"), `${JSON.stringify({ type: "entity", ...entity("a", "t") })}\n`);
    return await serveInProcess(folder.at("sync/m.jsonl"));
  }

  test("is kept though planted files have later names, and a folder is among them", async () => {
    await using folder = tempFolder({ outside: {}, sync: {} });
    for (const at of [1, 2, 3]) writeFileSync(folder.at(`sync/m.jsonl.db.backup-9${at}`), "");
    mkdirSync(folder.at("sync/m.jsonl.db.backup-0"));
    await using server = await emptyFile(folder);
    expect(await server.names()).toEqual(["a"]);
    expect(readdirSync(folder.at("sync")).filter((name) => name.startsWith("m.jsonl.db.backup-2"))).toHaveLength(1);
    expect(lstatSync(folder.at("sync/m.jsonl.db.backup-0")).isDirectory()).toBe(true);
  });

  test("is not written through a link that has its name", async () => {
    await using folder = tempFolder({ outside: {}, sync: {} });
    const server = await serveInProcess(folder.at("sync/m.db"));
    await server.create("a");
    await server.close();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 1) });
    const name = "m.db.backup-2026-01-01T00-00-00-000Z";
    symlinkSync(folder.at("outside/copy.db"), folder.at("sync", name));
    expect(makeBackup(folder.at("sync/m.db"))).toBe(folder.at("sync", name));
    expect(readdirSync(folder.at("outside"))).toEqual([]);
    expect(backupsOf(folder.at("sync/m.db"))).toEqual([folder.at("sync", name)]);
    expect(lstatSync(folder.at("sync", name)).mode & 0o777).toBe(0o600);
  });

  test("is not looked for in pipes and links by a purge", needs("POSIX"), async () => {
    await using at = await serveInSyncedFolder();
    using _pipe = plantPipe(at.folder.at("sync/m.db.backup-1"));
    writeFileSync(at.folder.at("outside/note"), "secret of a");
    symlinkSync(at.folder.at("outside/note"), at.folder.at("sync/m.db.backup-2"));
    mkdirSync(at.folder.at("sync/m.db.backup-3"));
    await at.server.does("delete_entities", PURGE);
    expect(existsSync(at.folder.at("outside/note"))).toBe(true);
    expect(existsSync(at.folder.at("sync/m.db.backup-2"))).toBe(true);
  });
});

test("a JSONL file that is a link at the start is served at its target", async () => {
  await using folder = tempFolder({ dotfiles: {}, home: {} });
  symlinkSync(folder.at("dotfiles/m.jsonl"), folder.at("home/m.jsonl"));
  await using server = await serveInProcess(folder.at("home/m.jsonl"));
  await server.create("a");
  await server.close();
  expect(namesIn(join(folder.path, "dotfiles/m.jsonl"))).toEqual(["a"]);
});
