/** One server under load for a while: what it held in the meantime, and what is left when everybody has gone. */
import { setTimeout as sleep } from "node:timers/promises";
import { tempFolder } from "@oarlock/testing";
import { leftovers } from "./growth.ts";
import { Pace } from "./load-generator.ts";
import { countsOf, sample, type Sample } from "./sample.ts";
import { Started, type Program } from "./observed-server.ts";
import type { Target } from "./targets/target.ts";

export interface SoakOrder {
  /** Until everything has been done that is only done once. */
  warmMs: number;
  loadMs: number;
  everyMs: number;
  /** How long counts must stand still before they are taken as those of a server at rest. */
  quietMs: number;
  /** How long it may take until nothing is left of the load. */
  restMs: number;
  actsPerSecond: number;
  killEveryMs: number;
  /** When sessions that nobody uses end: later than any client of ours comes back to its own, at this rate. */
  idleMs: number;
  keepAlive: boolean;
}

export interface Soaked {
  name: string;
  acts: Record<string, number>;
  /** What did not go as it should. */
  faults: readonly string[];
  before: Sample;
  samples: readonly Sample[];
  after: Sample;
  left: readonly string[];
}

export async function soak(target: Target, order: SoakOrder): Promise<Soaked> {
  await using folder = tempFolder();
  await using server = new Started(withEnv(target.program(folder), { SOAK_IDLE_MS: String(order.idleMs) }));
  const pace = new Pace(order.actsPerSecond * (target.rate ?? 1), order.killEveryMs);
  const lanes = await target.lanes({ server, folder, keepAlive: order.keepAlive });
  const run = async (ms: number): Promise<void> => {
    pace.begin(ms);
    await Promise.all(lanes.map((lane) => lane(pace)));
  };
  await run(order.warmMs);
  const before = await atRest(server, order);
  pace.warming = false;
  const samples = await watched(server, order, () => run(order.loadMs));
  const after = await emptied(server, before, order);
  const { interrupted } = pace;
  if (interrupted > MOST_INTERRUPTED * samples.length) pace.faults.push(`${interrupted} requests found their connection closed`);
  if (!server.alive) pace.faults.push(`the server ended: ${server.said}`);
  return {
    name: target.name,
    acts: Object.fromEntries(pace.done),
    faults: pace.faults,
    before,
    samples,
    after,
    left: leftovers(before, after),
  };
}

const withEnv = (program: Program, env: Program["env"]): Program => ({ ...program, env: { ...program.env, ...env } });

/** For each sample: a server may close a socket that was idle just when it is used again, which no client can foresee. */
const MOST_INTERRUPTED = 0.1;

/** Five for each third: of fewer the median is chance. */
const LEAST_SAMPLES = 15;

/** Samples while there is load. On a busy machine they come slowly: then it goes on until there are enough to compare. */
async function watched(server: Started, { everyMs }: SoakOrder, load: () => Promise<void>): Promise<Sample[]> {
  const samples: Sample[] = [];
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted && server.alive) {
      await sleep(everyMs);
      samples.push(await sample(server));
    }
  })();
  do await load();
  while (samples.length < LEAST_SAMPLES && server.alive);
  over.abort();
  await watching;
  return samples;
}

/** Once nothing has changed for a while. */
async function atRest(server: Started, { quietMs, restMs }: SoakOrder): Promise<Sample> {
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

/** Once nothing is left, or the time for that is over. */
async function emptied(server: Started, before: Sample, { restMs }: SoakOrder): Promise<Sample> {
  const end = performance.now() + restMs;
  for (;;) {
    const now = await sample(server);
    if (leftovers(before, now).length === 0 || performance.now() > end) return now;
    await sleep(200);
  }
}
