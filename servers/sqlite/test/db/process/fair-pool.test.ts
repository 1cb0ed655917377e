// One person with many long requests keeps no other waiting.
import { actFor } from "@oarlock/domain-kit";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { childFile } from "../../../src/child-file.ts";
import { MemoryWatch } from "../../../src/db/process/memory-watch.ts";
import { ProcessPool } from "../../../src/db/process/process-pool.ts";
import { makeDatabase } from "../../support/databases.ts";

const ENDLESS = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n";
const LIMITS = { maxRows: 10, maxBytes: 10_000, maxTextLength: 100, maxBlobBytes: 10 };

interface Started {
  readonly answer: Promise<string>;
  stop(): Promise<void>;
}

/** Counts the processes that a pool has started. */
class CountingWatch extends MemoryWatch {
  started = 0;

  override add(...args: Parameters<MemoryWatch["add"]>): void {
    this.started += 1;
    super.add(...args);
  }
}

async function openPool(maxProcesses: number) {
  const folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), "CREATE TABLE t (a)");
  const options = { script: childFile, file, label: "shop", maxTimeoutMs: 120_000, write: false, create: false, writesLargeFiles: false };
  const processes = new CountingWatch();
  const pool = new ProcessPool(options, maxProcesses, processes);
  const ended: string[] = [];
  const begin = (person: string | undefined, sql: string): Started => {
    const stop = new AbortController();
    const run = () => pool.run({ op: "read", sql, limits: LIMITS, skip: 0 }, { caller: { signal: stop.signal }, timeoutMs: 60_000 });
    const running = person === undefined ? run() : actFor(person, run);
    const answer = running.then(
      () => "answered",
      () => "stopped",
    );
    void answer.then(() => ended.push(`${person} ${sql === ENDLESS ? "endless" : sql}`));
    return {
      answer,
      async stop() {
        stop.abort();
        await answer;
      },
    };
  };
  return { begin, ended, processes, [Symbol.asyncDispose]: () => pool.close(0).then(() => folder[Symbol.asyncDispose]()) };
}

test("answers one person while another has filled the queue", async () => {
  await using pool = await openPool(4);
  const long = Array.from({ length: 12 }, () => pool.begin("ada", ENDLESS));
  expect(await pool.begin("ben", "SELECT 1").answer).toBe("answered");
  await Promise.all(long.map((one) => one.stop()));
});

test("takes the next request of whom has the fewest running", async () => {
  await using pool = await openPool(1);
  const [first, second] = [pool.begin("ada", ENDLESS), pool.begin("ada", ENDLESS)];
  const ben = pool.begin("ben", "SELECT 1");
  await first.stop();
  expect(await ben.answer).toBe("answered");
  await second.stop();
  expect(pool.ended).toEqual(["ada endless", "ben SELECT 1", "ada endless"]);
});

test("gives all processes to one user without a login", async () => {
  await using pool = await openPool(3);
  const long = [pool.begin(undefined, ENDLESS), pool.begin(undefined, ENDLESS)];
  expect(await pool.begin(undefined, "SELECT 1").answer).toBe("answered");
  await Promise.all(long.map((one) => one.stop()));
});

test("starts no process for requests that end together with the one before them", async () => {
  await using pool = await openPool(1);
  const long = Array.from({ length: 12 }, () => pool.begin("ada", ENDLESS));
  expect(pool.processes.started).toBe(1);
  await Promise.all(long.map((one) => one.stop()));
  expect(pool.processes.started).toBe(1);
});
