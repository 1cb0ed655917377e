// More users than memories stay open.
import { existsSync, mkdirSync, readdirSync, readlinkSync, rmSync, truncateSync } from "node:fs";
import { basename, join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { isOnPostgres, onFilesOnly } from "../support/store-under-test.ts";
import { serveUsers } from "./support.ts";

const USERS = Array.from({ length: 35 }, (_, at) => `user-${at}`);
/** See scopes/scope-pool.ts, and one that is being closed. */
const MAX_OPEN = 33;

test("users beyond those whose memory stays open lose nothing", async () => {
  await using service = await serveUsers();
  const write = async (name: string, round: number): Promise<void> => {
    await using user = await service.user(name);
    const entities = [{ name: `${name}, ${round}`, entityType: "note", observations: ["kept"] }];
    await user.client.call("create_entities", { entities });
  };
  for (const name of USERS) await write(name, 1);
  // Their memories were closed and are opened again.
  const early = USERS.slice(0, 5);
  for (const name of early) await write(name, 2);
  for (const name of early) {
    await using user = await service.user(name);
    const { structuredContent } = await user.client.call("read_graph");
    const { entities } = structuredContent as { entities: { name: string }[] };
    expect(entities.map((entity) => entity.name)).toEqual([`${name}, 1`, `${name}, 2`]);
  }
  if (!isOnPostgres() && existsSync("/proc/self/fd"))
    await expect.poll(() => openDatabases(service.folder.path)).toBeLessThanOrEqual(MAX_OPEN);
});

describe("the file of one user", onFilesOnly(), () => {
  const harms: [how: string, harm: (file: string) => void, fault: string][] = [
    ["deleted", (file) => rmSync(file), "moved"],
    ["replaced by a folder", (file) => (rmSync(file), mkdirSync(file)), "moved"],
    ["emptied", (file) => truncateSync(file, 0), "damaged"],
  ];

  test.each(harms)("refuses the calls of that user alone once it is %s, and tells the operator", async (_how, harm, fault) => {
    const faults = new Map<string, string>();
    await using service = await serveUsers({ onFault: (file, found) => void (found !== undefined && faults.set(basename(file), found)) });
    await using ada = await service.user("ada");
    await using bob = await service.user("bob");
    for (const { client } of [ada, bob]) await client.call("create_entities", { entities: [note("first")] });
    const [file = ""] = fileOfUser(service.folder.path, "ada");
    // What is stored lies in the database file, not in its log.
    const other = new Database(file);
    other.pragma("wal_checkpoint(TRUNCATE)");
    other.close();
    harm(file);
    const refused = await ada.client.call("create_entities", { entities: [note("second")] });
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/Memory (?:file moved|database damaged)/) }] });
    expect(await bob.client.call("create_entities", { entities: [note("second")] })).not.toHaveProperty("isError", true);
    expect([...faults]).toEqual([[basename(file), fault]]);
  });
});

const note = (name: string): object => ({ name, entityType: "note", observations: ["kept"] });

/** The database whose owner this user is. */
function fileOfUser(folder: string, user: string): string[] {
  const files = readdirSync(folder).flatMap((name) => (name.endsWith(".db") ? [join(folder, name)] : []));
  return files.filter((file) => {
    const db = new Database(file, { readonly: true });
    const owner = db.prepare("SELECT value FROM meta WHERE key LIKE 'owner%'").all();
    db.close();
    return JSON.stringify(owner).includes(user);
  });
}

/** How many databases of a folder this process has open. */
function openDatabases(folder: string): number {
  const targets = readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return []; // the descriptor of the listing itself
    }
  });
  return new Set(targets.filter((target) => target.startsWith(folder) && target.endsWith(".db"))).size;
}
