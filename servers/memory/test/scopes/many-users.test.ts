// More users than memories stay open.
import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { isOnPostgres } from "../support/store-under-test.ts";
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
