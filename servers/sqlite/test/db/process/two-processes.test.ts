// Several servers on one file, and servers that are killed: what was acknowledged is there, whole, and the file is sound.
import { copyFileSync, existsSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { childrenOf } from "../../cases/stress.ts";
import { makeDatabase, opened, rowsOf } from "../../support/databases.ts";
import { saidBy, talkTo, type Talk } from "../../support/server-process.ts";

const LONG = process.env["OARLOCK_LONG"] === "1";
/** In each journal mode. */
const KILLS = LONG ? 50 : 8;
const WRITES = LONG ? 300 : 25;

const SQL = `CREATE TABLE notes (id INTEGER PRIMARY KEY, token TEXT, half INTEGER); CREATE INDEX by_token ON notes(token);
  CREATE TABLE counter (n INTEGER); INSERT INTO counter VALUES (0);
  CREATE TABLE filled (v TEXT); WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 3000) INSERT INTO filled SELECT hex(randomblob(100)) FROM c;`;

/** Two rows or none, and the counter one further. */
const pairOf = (token: string) => ({
  statements: [
    { query: "INSERT INTO notes (token, half) VALUES (?, 1)", params: [token] },
    { query: "UPDATE counter SET n = n + 1" },
    { query: "INSERT INTO notes (token, half) VALUES (?, 2)", params: [token] },
  ],
});

describe.each(["delete", "wal"])("journal mode %s", (mode) => {
  const world = () => {
    const folder = tempFolder();
    const file = makeDatabase(folder.at("shared.db"), SQL);
    using db = opened(file);
    db.pragma(`journal_mode = ${mode}`);
    return { folder, file };
  };

  /** Everything that was acknowledged is there; pairs are whole; the file is sound. */
  function isSound(file: string, acknowledged: ReadonlySet<string>): void {
    expect(rowsOf(file, "PRAGMA integrity_check")).toEqual([["ok"]]);
    const found = new Map(rowsOf(file, "SELECT token, count(*) FROM notes GROUP BY token") as [string, number][]);
    expect([...acknowledged].filter((token) => found.get(token) !== 2)).toEqual([]);
    expect([...found].filter(([, halves]) => halves !== 2)).toEqual([]);
    expect(rowsOf(file, "SELECT n FROM counter")).toEqual([[found.size]]);
    expect(rowsOf(file, "PRAGMA journal_mode")).toEqual([[mode]]);
  }

  test("two servers and a third program write and read side by side: no acknowledged write is lost, none fails but for being busy", async () => {
    const { folder, file } = world();
    await using _ = folder;
    await using one = await talkTo(["--read-write", file]);
    await using two = await talkTo(["--read-write", file]);
    const acknowledged = new Set<string>();
    const failures: string[] = [];
    const writer = async (talk: Talk, name: string): Promise<void> => {
      for (let at = 0; at < WRITES; at++) {
        const token = `${name} ${at}`;
        const result = await talk.call("run_transaction", pairOf(token));
        if (result?.["isError"] === true) failures.push(saidBy(result));
        else if (result !== undefined) acknowledged.add(token);
      }
    };
    const reader = async (talk: Talk): Promise<void> => {
      for (let at = 0; at < WRITES / 2; at++) {
        // Within one statement a pair is never half.
        const result = await talk.call("read_query", { query: "SELECT count(*) - 2 * (SELECT n FROM counter) FROM notes" });
        if (result?.["isError"] === true) failures.push(saidBy(result));
        else expect((result?.["structuredContent"] as { rows: unknown } | undefined)?.rows).toEqual([[0]]);
      }
    };
    let outside = 0;
    using third = opened(file);
    const filling = third.prepare("UPDATE filled SET v = v || 'x' WHERE rowid = 1 + abs(random()) % 3000");
    const working = setInterval(() => (outside += filling.run().changes), 15);
    await Promise.all([writer(one, "a"), writer(one, "b"), writer(two, "c"), writer(two, "d"), reader(one), reader(two)]);
    clearInterval(working);
    expect(failures.filter((text) => !/busy|locked/i.test(text))).toEqual([]);
    expect(acknowledged.size + failures.length).toBeGreaterThanOrEqual(4 * WRITES);
    expect(acknowledged.size).toBeGreaterThan(3 * WRITES);
    expect(outside).toBeGreaterThan(0);
    isSound(file, acknowledged);
  }, 240_000);

  test(`${KILLS} kills in the middle of writes: the file is sound, and every acknowledged write is there`, async () => {
    const { folder, file } = world();
    await using _ = folder;
    const acknowledged = new Set<string>();
    let talk: Talk | undefined;
    let kills = 0;
    for (let turn = 0; kills < KILLS; turn++) {
      talk ??= await talkTo(["--read-write", file]);
      const here = talk;
      const seen = acknowledged.size;
      const ended = new AbortController();
      const errors: string[] = [];
      const writing = Array.from({ length: 3 }, async (__, lane) => {
        for (let at = 0; !ended.signal.aborted; at++) {
          const token = `${turn} ${lane} ${at}`;
          // Some changes are larger than the cache, so that the file itself is in the middle of being rewritten.
          const bulk = (at + lane) % 8 === 7 ? [{ query: "UPDATE filled SET v = hex(randomblob(700))" }] : [];
          const { statements } = pairOf(token);
          const result = await here.call("run_transaction", { statements: [...statements, ...bulk] });
          if (result === undefined) return;
          if (result["isError"] !== true) acknowledged.add(token);
          else errors.push(saidBy(result));
        }
      });
      for (const until = performance.now() + 20_000; acknowledged.size === seen; await sleep(2))
        expect(performance.now(), `writes go on; ${errors.slice(0, 3).join("; ")}`).toBeLessThan(until);
      await sleep(Math.random() * 60);
      const children = childrenOf(here.pid);
      // By turns: the processes that hold the database, all at once; or the server, whose processes notice it themselves.
      if (turn % 3 === 0) {
        here.server.kill("SIGKILL");
        talk = undefined;
      } else for (const pid of children) process.kill(Number(pid), "SIGKILL");
      kills += 1;
      ended.abort();
      await Promise.all(writing);
      if (talk === undefined)
        await expect.poll(() => children.filter((pid) => existsSync(`/proc/${pid}`)), { timeout: 20_000 }).toEqual([]);
      // As the file is left: the next reader finds the right data, whether or not it may write.
      if (turn % 5 === 0) {
        const copy = folder.at("copy");
        for (const name of readdirSync(folder.path).filter((entry) => entry.startsWith("shared.db")))
          copyFileSync(folder.at(name), name.replace("shared.db", copy));
        isSound(copy, acknowledged);
      }
    }
    await talk?.[Symbol.asyncDispose]();
    expect(acknowledged.size).toBeGreaterThanOrEqual(KILLS);
    if (LONG) console.log(`${mode}: ${kills} kills, ${acknowledged.size} acknowledged writes, all present`);
    isSound(file, acknowledged);
  }, 600_000);
});
