/** One server under load for a while: its resources meanwhile, and after all clients have closed. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Program } from "@oarlock-tooling/test-support/server-process";
import { tempFolder } from "@oarlock/testing";
import { leftovers } from "./growth.ts";
import { LoadGenerator } from "./load-generator.ts";
import { countsOf, sample, type Sample } from "./sample.ts";
import { ObservedServer } from "./observed-server.ts";
import type { Target } from "./targets/target.ts";

export interface SoakOrder {
  /** Time for one-time work, such as compiled code and caches. */
  warmMs: number;
  loadMs: number;
  everyMs: number;
  /** How long counts must stay unchanged before the server counts as idle. */
  quietMs: number;
  /** Maximum time until the resources of the load are freed. */
  restMs: number;
  actsPerSecond: number;
  killEveryMs: number;
  /** Idle time after which sessions end; at this rate, clients use their sessions more often. */
  idleMs: number;
  keepAlive: boolean;
}

export interface Soaked {
  name: string;
  acts: Record<string, number>;
  /** Failed acts, and a server that exited. */
  faults: readonly string[];
  before: Sample;
  samples: readonly Sample[];
  after: Sample;
  left: readonly string[];
}

export async function soak(target: Target, order: SoakOrder): Promise<Soaked> {
  await using folder = tempFolder();
  await using server = new ObservedServer(withEnv(target.program(folder), { SOAK_IDLE_MS: String(order.idleMs) }));
  const generator = new LoadGenerator(order.actsPerSecond * (target.rate ?? 1), order.killEveryMs);
  const lanes = await target.lanes({ server, folder, keepAlive: order.keepAlive });
  const run = async (ms: number): Promise<void> => {
    generator.begin(ms);
    await Promise.all(lanes.map((lane) => lane(generator)));
  };
  await run(order.warmMs);
  const before = await atRest(server, order);
  generator.warming = false;
  const samples = await watched(server, order, () => run(order.loadMs));
  const after = await emptied(server, before, order);
  const { interrupted } = generator;
  if (interrupted > MOST_INTERRUPTED * samples.length) generator.faults.push(`${interrupted} requests found their connection closed`);
  if (!server.isRunning) generator.faults.push(`the server ended: ${server.stderr}`);
  return {
    name: target.name,
    acts: Object.fromEntries(generator.done),
    faults: generator.faults,
    before,
    samples,
    after,
    left: leftovers(before, after),
  };
}

const withEnv = (program: Program, env: Record<string, string>): Program => ({ ...program, env: { ...program.env, ...env } });

/** For each sample: a server may close a socket that was idle just when it is used again, which no client can foresee. */
const MOST_INTERRUPTED = 0.1;

/** Five for each third, for a meaningful median. */
const LEAST_SAMPLES = 15;

/** Samples while there is load. On a busy machine they come slowly: then it goes on until there are enough to compare. */
async function watched(server: ObservedServer, { everyMs }: SoakOrder, load: () => Promise<void>): Promise<Sample[]> {
  const samples: Sample[] = [];
  const loadEnd = new AbortController();
  const watching = (async () => {
    while (!loadEnd.signal.aborted && server.isRunning) {
      await sleep(everyMs);
      samples.push(await sample(server));
    }
  })();
  do await load();
  while (samples.length < LEAST_SAMPLES && server.isRunning);
  loadEnd.abort();
  await watching;
  return samples;
}

/** The first sample after counts stayed unchanged for a while. */
async function atRest(server: ObservedServer, { quietMs, restMs }: SoakOrder): Promise<Sample> {
  const end = performance.now() + restMs;
  let last = await sample(server);
  for (let since = performance.now(); performance.now() - since < quietMs && performance.now() < end;) {
    await sleep(100);
    const now = await sample(server);
    if (JSON.stringify(countsOf(now)) !== JSON.stringify(countsOf(last))) since = performance.now();
    last = now;
  }
  return last;
}

/** The first sample without leftovers, or the last one before the time is over. */
async function emptied(server: ObservedServer, before: Sample, { restMs }: SoakOrder): Promise<Sample> {
  const end = performance.now() + restMs;
  for (;;) {
    const now = await sample(server);
    if (leftovers(before, now).length === 0 || performance.now() > end) return now;
    // Sessions end after a while, and each sample collects garbage.
    await sleep(1000);
  }
}
