// Full disks, size limits and read-only folders, of processes: the error is clear, stored data stays, and acknowledged changes are on the disk.
// Case MEM-15.
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { otherUser } from "@oarlock-tooling/test-support/other-user";
import { listTree, needs, tempFolder, waitUntil } from "@oarlock/testing";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { entity, jsonl } from "../support/graphs.ts";
import { namesIn } from "../support/mirror-file.ts";
import { startServer, ServerProcess } from "../support/server-process.ts";
import { bin } from "../support/targets.ts";

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(" ");

/** Whether this machine allows to mount a private disk. */
function canMount(): boolean {
  try {
    execFileSync("unshare", ["-rm", "sh", "-c", "mount -t tmpfs -o size=1m tmpfs /mnt"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const CLEAR = /space|full|disk|too large|limit/i;
const big = (name: string) => ({ entities: [entity(name, "t", "x".repeat(50_000))] });

/** Writes until a call is refused; returns the acknowledged names and the error messages. */
async function fill(server: ServerProcess): Promise<{ kept: string[]; refusal: string }> {
  const kept: string[] = [];
  for (let at = 0; at < 1000; at++) {
    const { isError, text } = await server.call("create_entities", big(`e${at}`));
    if (isError) return { kept, refusal: text };
    kept.push(`e${at}`);
  }
  throw new Error("the disk was never full");
}

const limits: readonly (readonly [string, string])[] = [
  // In units of 512 bytes.
  ["files that may not grow beyond 1 MiB", "ulimit -f 2048"],
  ...(canMount() ? [["a disk of 3 MB that is full", "mount -t tmpfs -o size=3m,mode=700 tmpfs"] as const] : []),
];

describe.each(limits)("case MEM-15: %s", (_, limit) => {
  test.each(["m.db", "m.jsonl"])("%s keeps what was acknowledged, refuses in words, and serves what it has", async (name) => {
    await using folder = tempFolder();
    await using copy = tempFolder();
    const isMount = limit.startsWith("mount");
    const own = bin([`--db=${folder.at(name)}`]);
    const run = `${isMount ? `${limit} ${folder.path}` : limit} && exec ${quoted([own.command, ...(own.args ?? [])])}`;
    const command = isMount ? { command: "unshare", args: ["-rm", "sh", "-c", run] } : { command: "sh", args: ["-c", run] };
    await using server = await new ServerProcess({ ...own, ...command }).begin();
    const { kept, refusal } = await fill(server);
    expect(refusal).toMatch(CLEAR);
    expect(refusal).not.toMatch(/SqliteError|\n\s+at /);
    expect(kept.length).toBeGreaterThan(3);
    // The server runs, and shows only what is on the disk.
    expect(await server.names()).toEqual(kept);
    expect((await server.does("search_nodes", { query: `e${kept.length}` }))["entities"]).toEqual([]);
    // Small writes may fit or not; each is stored or refused.
    for (let at = 0; at < 10; at++) {
      const { isError } = await server.call("create_entities", { entities: [entity(`small ${at}`, "t")] });
      if (!isError) kept.push(`small ${at}`);
    }
    expect(await server.names()).toEqual(kept);
    // The mirror is the old one or the new one, never a part.
    const seen = isMount ? join(`/proc/${server.process.pid}/root`, folder.path) : folder.path;
    if (name === "m.jsonl" && existsSync(join(seen, name))) {
      const there = namesIn(join(seen, name));
      expect(kept.slice(0, there.length)).toEqual(there);
    }
    // With enough space, in another place, everything is there. No file may come or go while it is copied.
    server.process.kill("SIGSTOP");
    cpSync(seen, copy.at("c"), { recursive: true });
    await server.kill();
    await using again = await startServer(copy.at("c", name));
    expect(await again.names()).toEqual(kept);
    await again.create("at last");
    await again.close();
    if (name === "m.jsonl") expect(namesIn(copy.at("c", name))).toEqual([...kept, "at last"]);
  });
});

describe("case MEM-15: a folder that became read-only", needs("Linux"), () => {
  const nobody = otherUser(new URL("../..", import.meta.url));

  /** As a user who is subject to file modes. */
  async function asNobody(file: string, args: readonly string[] = []): Promise<ServerProcess> {
    return new ServerProcess(nobody.command(bin([`--db=${file}`, ...args]))).begin();
  }
  const give = (path: string): void => {
    const { id } = nobody;
    if (id === undefined) return;
    chownSync(path, id, id);
    for (const name of readdirSync(path, { recursive: true, encoding: "utf8" })) chownSync(join(path, name), id, id);
  };

  test("reports an outdated mirror while the server runs, and updates it later", async () => {
    await using folder = tempFolder({ d: { "m.jsonl": jsonl([entity("a", "t")]) } });
    chmodSync(folder.path, 0o755);
    give(folder.at("d"));
    const file = folder.at("d", "m.jsonl");
    await using server = await asNobody(file);
    await server.create("b");
    await waitUntil(
      () => namesIn(file),
      (names) => names.length === 2,
      20_000,
    );
    chmodSync(folder.at("d"), 0o555);
    const { isError, text } = await server.call("create_entities", { entities: [entity("c", "t")] });
    if (isError) expect(text).toMatch(/read-only|writ|permission/i);
    const names = await server.names();
    expect(names).toEqual(isError ? ["a", "b"] : ["a", "b", "c"]);
    expect(namesIn(file).slice(0, 2)).toEqual(["a", "b"]);
    chmodSync(folder.at("d"), 0o755);
    await server.create("d");
    await waitUntil(
      () => namesIn(file),
      (there) => there.length === names.length + 1,
      20_000,
    );
    expect(await server.close()).toEqual({ code: 0, signal: null });
  });

  test("before the start: --read-only reads what exists and leaves nothing behind", async () => {
    await using folder = tempFolder({ d: { "m.jsonl": jsonl([entity("a", "t")]) } });
    chmodSync(folder.path, 0o755);
    give(folder.at("d"));
    chmodSync(folder.at("d"), 0o555);
    const before = listTree(folder.at("d"));
    await using server = await asNobody(folder.at("d", "m.jsonl"), ["--read-only"]);
    expect(await server.names()).toEqual(["a"]);
    await server.close();
    expect(listTree(folder.at("d"))).toEqual(before);
    chmodSync(folder.at("d"), 0o755);
  });
});

test("case MEM-15: a call reports a lock that another program keeps, and no change is partial", async () => {
  await using folder = tempFolder();
  const file = folder.at("m.db");
  await using server = await startServer(file);
  await server.create("a");
  const other = new Database(file);
  try {
    other.exec("BEGIN IMMEDIATE");
    expect(await server.refuses("create_entities", { entities: [entity("b", "t")] })).toMatch(/busy|locked/i);
    other.exec("ROLLBACK");
  } finally {
    other.close();
  }
  expect(await server.names()).toEqual(["a"]);
});
