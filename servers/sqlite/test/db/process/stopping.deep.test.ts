// Endless statements: the server stops them, and answers other calls meanwhile. With OARLOCK_LONG=1 the tests repeat, print their times
// and compare the medians with the limits of the manual; otherwise no test measures time, because the machine may be busy.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, type TestOptions } from "vitest";
import { childrenOf, startStress, type StressRun } from "../../cases/stress.ts";
import { openDatabase } from "../../support/databases.ts";
import { isRunning, processCpuMs } from "../../support/processes.ts";

const LONG = process.env["OARLOCK_LONG"] === "1";
const TIMES = LONG ? 20 : 2;
const KILLS = LONG ? 10 : 3;
/** Limits of the medians: until a statement is stopped, and until another call is answered. */
const MAX_STOP_MS = 250;
const MAX_WAIT_MS = 100;
/** More CPU time than the start of a process needs, from the build or the sources, or a call beside an endless one. */
const BUSY_CPU_MS = process.env["OARLOCK_BUILT"] === "1" ? 250 : 500;
/** Only a process that hangs takes so long. */
const EXIT_MS = 60_000;

const ENDLESS = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT count(*) FROM c";
const ENDLESS_CHANGE = `INSERT INTO t (n) ${ENDLESS.replace("count(*)", "i")}`;
/** Longer than a test may take. */
const TIMEOUT = { timeout_ms: 600_000 };
const startServer = (): Promise<StressRun> => startStress({ args: (base) => ["--timeout=600000", "--read-write", `${base}/ROOT/main.db`] });
const IN_LONG_RUNS: TestOptions = LONG ? {} : { skip: true, meta: { skipReason: "OARLOCK_LONG is not set" } };
const isLinux = process.platform === "linux";

let stress: StressRun;
beforeAll(async () => {
  stress = await startServer();
  await stress.checkHealth();
});
afterAll(() => stress[Symbol.asyncDispose]());

async function measure(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** With OARLOCK_LONG=1: prints the times, and expects a median below a limit. */
function expectMedian(what: string, times: readonly number[], maxMs: number): void {
  if (!LONG) return;
  const sorted = times.toSorted((one, other) => one - other);
  const [median = NaN, worst = NaN] = [sorted[sorted.length >> 1], sorted.at(-1)];
  console.log(`${what}: median ${Math.round(median)} ms, worst ${Math.round(worst)} ms of ${sorted.length}`);
  expect(median, what).toBeLessThan(maxMs);
}

/** Waits until a database process runs a statement. */
async function statementRuns(server: number): Promise<void> {
  const before = new Map(childrenOf(server).map((pid) => [pid, processCpuMs(pid)]));
  for (;;) {
    if (childrenOf(server).some((pid) => processCpuMs(pid) - (before.get(pid) ?? 0) >= BUSY_CPU_MS)) return;
    await sleep(20);
  }
}

// Without OARLOCK_LONG, SQL-20 shows the same.
test("stops an endless statement at its time limit", IN_LONG_RUNS, async () => {
  const delays: number[] = [];
  for (let round = 0; round < TIMES; round++)
    delays.push(
      (await measure(async () => expect((await stress.read(ENDLESS, { timeout_ms: 700 })).text).toMatch(/topped after 700 ms/))) - 700,
    );
  expectMedian("stopped after the time limit", delays, MAX_STOP_MS);
});

test.runIf(isLinux)("stops a cancelled statement without a response, and answers other calls before and after", async () => {
  const stops: number[] = [];
  const lists: number[] = [];
  const reads: number[] = [];
  for (let round = 0; round < TIMES; round++) {
    const id = stress.sendCall("read_query", { query: ENDLESS, ...TIMEOUT });
    await statementRuns(stress.pid);
    lists.push(await measure(() => stress.request("tools/list", {})));
    reads.push(await measure(() => stress.rows("SELECT count(*) FROM t")));
    const running = childrenOf(stress.pid);
    const start = performance.now();
    await stress.cancel(id);
    while (running.every(isRunning)) await sleep(2);
    stops.push(performance.now() - start);
    reads.push(await measure(() => stress.rows("SELECT count(*) FROM t")));
    expect(stress.responseCount(id)).toBe(0);
  }
  expectMedian("stopped after the cancellation", stops, MAX_STOP_MS);
  expectMedian("tools/list meanwhile", lists, MAX_WAIT_MS);
  expectMedian("another query", reads, MAX_WAIT_MS);
  await stress.checkRules();
});

test.runIf(isLinux)("rolls back a cancelled change, and starts the next change without waiting", async () => {
  const id = stress.sendCall("write_query", { query: ENDLESS_CHANGE, ...TIMEOUT });
  await statementRuns(stress.pid);
  await stress.cancel(id);
  // It fails as busy if it waits for the time limit of the first.
  expect(await stress.write("INSERT INTO t (name) VALUES ('next')")).toMatchObject({ failed: false });
  expect(await stress.rows("SELECT count(*) FROM t")).toEqual([[4]]);
  await stress.checkRules();
});

test.runIf(isLinux)("read_query works again after its idle processes were killed", async () => {
  for (let round = 0; round < KILLS; round++) {
    await stress.checkHealth();
    for (const pid of childrenOf(stress.pid)) process.kill(pid, "SIGKILL");
    // A call that the server sends before it notices the kill fails.
    await expect.poll(async () => (await stress.read("SELECT 1")).failed).toBe(false);
  }
  await stress.checkRules();
});

test.runIf(isLinux)("ends the server and its processes at the end of input while statements run", async () => {
  await using other = await startServer();
  other.sendCall("read_query", { query: ENDLESS, ...TIMEOUT });
  await statementRuns(other.pid);
  other.sendCall("write_query", { query: ENDLESS_CHANGE, ...TIMEOUT });
  await statementRuns(other.pid);
  const children = childrenOf(other.pid);
  other.server.end();
  expect(await other.server.exit(EXIT_MS)).toEqual({ code: 0, signal: null });
  await expect.poll(() => children.filter(isRunning)).toEqual([]);
});

test.runIf(isLinux)("leaves no process with a running statement after the server is killed", async () => {
  await using other = await startServer();
  other.sendCall("read_query", { query: ENDLESS, ...TIMEOUT });
  await statementRuns(other.pid);
  const children = childrenOf(other.pid);
  other.server.kill("SIGTERM");
  await other.server.exit(EXIT_MS);
  await expect.poll(() => children.filter(isRunning)).toEqual([]);
});

// A terminal and a service manager send the signal to the whole process group.
test.runIf(isLinux).each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "RPC-28 completes a call in flight after %s to all its processes",
  async (signal) => {
    await using other = await startServer();
    await other.checkHealth();
    using holder = openDatabase(other.file);
    holder.exec("BEGIN EXCLUSIVE");
    const inFlight = other.rows("SELECT count(*) FROM t");
    // Messages are handled in order: the call has begun when the list arrives.
    await other.request("tools/list", {});
    for (const pid of childrenOf(other.pid)) process.kill(pid, signal);
    other.server.kill(signal);
    holder.exec("COMMIT");
    expect(await inFlight).toEqual([[3]]);
    expect(await other.server.exit(EXIT_MS)).toEqual({ code: 0, signal: null });
  },
);
