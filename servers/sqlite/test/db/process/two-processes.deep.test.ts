// Several servers on one file, and servers that are killed: every acknowledged write is in the file, complete, and the file is intact.
import { copyFileSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { childrenOf } from "../../cases/stress.ts";
import { makeDatabase, openDatabase, rowsOf } from "../../support/databases.ts";
import { isRunning } from "../../support/processes.ts";
import { startServer, type ServerProcess } from "../../support/server-process.ts";

const LONG = process.env["OARLOCK_LONG"] === "1";
/** Kills in each journal mode. */
const KILLS = LONG ? 50 : 8;
const WRITES = LONG ? 300 : 25;

const SQL = `CREATE TABLE notes (id INTEGER PRIMARY KEY, token TEXT, half INTEGER); CREATE INDEX by_token ON notes(token);
  CREATE TABLE counter (n INTEGER); INSERT INTO counter VALUES (0);
  CREATE TABLE filled (v TEXT); WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 3000) INSERT INTO filled SELECT hex(randomblob(100)) FROM c;`;

/** A transaction that adds two rows and increments the counter. */
const pairOf = (token: string) => ({
  statements: [
    { query: "INSERT INTO notes (token, half) VALUES (?, 1)", params: [token] },
    { query: "UPDATE counter SET n = n + 1" },
    { query: "INSERT INTO notes (token, half) VALUES (?, 2)", params: [token] },
  ],
});

describe.each(["delete", "wal"])("journal mode %s", (mode) => {
  const createShared = () => {
    const folder = tempFolder();
    const file = makeDatabase(folder.at("shared.db"), SQL);
    using db = openDatabase(file);
    db.pragma(`journal_mode = ${mode}`);
    return { folder, file };
  };

  /** Expects every acknowledged pair, only complete pairs, and an intact file. */
  function expectIntact(file: string, acknowledged: ReadonlySet<string>): void {
    expect(rowsOf(file, "PRAGMA integrity_check")).toEqual([["ok"]]);
    const found = new Map(rowsOf(file, "SELECT token, count(*) FROM notes GROUP BY token") as [string, number][]);
    expect([...acknowledged].filter((token) => found.get(token) !== 2)).toEqual([]);
    expect([...found].filter(([, halves]) => halves !== 2)).toEqual([]);
    expect(rowsOf(file, "SELECT n FROM counter")).toEqual([[found.size]]);
    expect(rowsOf(file, "PRAGMA journal_mode")).toEqual([[mode]]);
  }

  test("loses no acknowledged write of two servers and another program", async () => {
    const { folder, file } = createShared();
    await using _ = folder;
    await using one = await startServer(["--read-write", file]);
    await using two = await startServer(["--read-write", file]);
    const acknowledged = new Set<string>();
    const failures: string[] = [];
    const writer = async (server: ServerProcess, name: string): Promise<void> => {
      for (let at = 0; at < WRITES; at++) {
        const token = `${name} ${at}`;
        const reply = await server.call("run_transaction", pairOf(token));
        if (reply?.failed === true) failures.push(reply.text);
        else if (reply !== undefined) acknowledged.add(token);
      }
    };
    const reader = async (server: ServerProcess): Promise<void> => {
      for (let at = 0; at < WRITES / 2; at++) {
        // One statement never sees half a pair.
        const reply = await server.call("read_query", { query: "SELECT count(*) - 2 * (SELECT n FROM counter) FROM notes" });
        if (reply?.failed === true) failures.push(reply.text);
        else expect(reply?.structured["rows"]).toEqual([[0]]);
      }
    };
    let outside = 0;
    using third = openDatabase(file);
    third.pragma("busy_timeout = 60000");
    const filling = third.prepare("UPDATE filled SET v = v || 'x' WHERE rowid = 1 + abs(random()) % 3000");
    const working = setInterval(() => (outside += filling.run().changes), 15);
    await Promise.all([writer(one, "a"), writer(one, "b"), writer(two, "c"), writer(two, "d"), reader(one), reader(two)]);
    clearInterval(working);
    expect(failures.filter((text) => !/busy|locked/i.test(text))).toEqual([]);
    expect(acknowledged.size + failures.length).toBeGreaterThanOrEqual(4 * WRITES);
    // On a busy machine many calls find the database busy.
    expect(acknowledged.size).toBeGreaterThan(0);
    expect(outside).toBeGreaterThan(0);
    expectIntact(file, acknowledged);
  });

  test(`keeps an intact file with every acknowledged write after ${KILLS} kills during writes`, async () => {
    const { folder, file } = createShared();
    await using _ = folder;
    const acknowledged = new Set<string>();
    let server: ServerProcess | undefined;
    let kills = 0;
    for (let round = 0; kills < KILLS; round++) {
      server ??= await startServer(["--read-write", file]);
      const current = server;
      const seen = acknowledged.size;
      const ended = new AbortController();
      const errors: string[] = [];
      const writing = Array.from({ length: 3 }, async (__, lane) => {
        for (let at = 0; !ended.signal.aborted; at++) {
          const token = `${round} ${lane} ${at}`;
          // Some changes are larger than the page cache, so that a kill interrupts the rewriting of the file.
          const bulk = (at + lane) % 8 === 7 ? [{ query: "UPDATE filled SET v = hex(randomblob(700))" }] : [];
          const { statements } = pairOf(token);
          const reply = await current.call("run_transaction", { statements: [...statements, ...bulk] });
          if (reply === undefined) return;
          if (reply.failed) errors.push(reply.text);
          else acknowledged.add(token);
        }
      });
      for (const until = performance.now() + 60_000; acknowledged.size === seen; await sleep(2))
        expect(performance.now(), `a write is acknowledged; ${errors.slice(0, 3).join("; ")}`).toBeLessThan(until);
      await sleep(Math.random() * 60);
      const children = childrenOf(current.process.pid);
      // Kills either all database processes at once, or the server, whose processes then exit by themselves.
      if (round % 3 === 0) {
        current.process.kill("SIGKILL");
        server = undefined;
      } else for (const pid of children) process.kill(pid, "SIGKILL");
      kills += 1;
      ended.abort();
      await Promise.all(writing);
      if (server === undefined) await expect.poll(() => children.filter(isRunning)).toEqual([]);
      // A copy of the files as the kill left them.
      if (round % 5 === 0) {
        const copy = folder.at("copy");
        for (const name of readdirSync(folder.path).filter((entry) => entry.startsWith("shared.db")))
          copyFileSync(folder.at(name), name.replace("shared.db", copy));
        expectIntact(copy, acknowledged);
      }
    }
    await server?.[Symbol.asyncDispose]();
    expect(acknowledged.size).toBeGreaterThanOrEqual(KILLS);
    if (LONG) console.log(`${mode}: ${kills} kills, ${acknowledged.size} acknowledged writes, all present`);
    expectIntact(file, acknowledged);
  }, 600_000);
});
