/** `pnpm nodes:bench`: calls per second and their times on 1, 2 and 3 nodes with a backplane, beside one process without. */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { format, median, quantile, table } from "@oarlock-tooling/bench/figures";
import type { Cluster } from "../cluster/cluster.ts";
import { ENGINES, startEngine } from "../cluster/start-engine.ts";
import { Random } from "../random.ts";
import { openLanes, startTarget, TARGETS, WAYS, type Target, type Way } from "./targets.ts";

const HELP = `pnpm nodes:bench [--engine ${ENGINES.join("|")}] [--rounds N] [--connections N,N] [--ms N]

Echo of 64 bytes. Connections go to the nodes in turn, without a balancer. In each round all targets run one after the other. Cells are medians of the
rounds; in brackets the median of the rounds' ratios to one process without a backplane.
`;

const { values } = parseArgs({
  options: {
    engine: { type: "string", default: "volatile-valkey" },
    rounds: { type: "string", default: "5" },
    connections: { type: "string", default: "1,16" },
    ms: { type: "string", default: "1000" },
    help: { type: "boolean", default: false },
  },
});
const engineName = ENGINES.find((name) => name === values.engine);
const connections = values.connections.split(",").map(Number);
const [rounds, ms] = [Number(values.rounds), Number(values.ms)];

/** What one round measured of one target, by the name of the figure. */
type Figures = Map<string, number>;

async function measure(target: Target, engineUrl: string, random: Random): Promise<Figures> {
  const figures: Figures = new Map();
  await using cluster = await startTarget(target, engineUrl, random);
  for (const way of WAYS) {
    if (way === "session of another node" && target.nodes === 1) continue;
    await flood(cluster, way, 4, ms / 2); // lets the compiler settle
    for (const count of connections) {
      const { times, took } = await flood(cluster, way, count, ms);
      const label = `${way}, ${count} connections`;
      figures.set(`${label}: calls/s`, (times.length / took) * 1000);
      figures.set(`${label}: p50 µs`, quantile(times, 0.5) * 1000);
      figures.set(`${label}: p99 µs`, quantile(times, 0.99) * 1000);
    }
  }
  return figures;
}

async function flood(cluster: Cluster, way: Way, count: number, ms: number): Promise<{ times: number[]; took: number }> {
  const lanes = await openLanes(cluster, way, count);
  try {
    const times: number[] = [];
    const from = performance.now();
    await Promise.all(lanes.map((lane) => lane.run(from + ms, times)));
    return { times, took: performance.now() - from };
  } finally {
    for (const lane of lanes) lane.end();
  }
}

function tableOf(measured: ReadonlyMap<Target, readonly Figures[]>): string {
  const base = measured.get(TARGETS[0] ?? raise()) ?? [];
  const names = [...new Set([...measured.values()].flat().flatMap((figures) => [...figures.keys()]))];
  const cell = (of: readonly Figures[], name: string): string => {
    const value = median(of.map((figures) => figures.get(name) ?? NaN));
    const ratio = median(of.map((figures, round) => (figures.get(name) ?? NaN) / (base[round]?.get(name) ?? NaN)));
    return of === base || Number.isNaN(ratio) ? format(value) : `${format(value)} (${format(ratio)})`;
  };
  const rows = names.map((name) => [name, ...TARGETS.map((target) => cell(measured.get(target) ?? [], name))]);
  return table(["", ...TARGETS.map(({ name }) => name)], rows);
}

const raise = (): never => {
  throw new Error("There is no target.");
};

async function run(name: (typeof ENGINES)[number]): Promise<void> {
  const random = new Random(1);
  await using engine = await startEngine(name);
  const measured = new Map<Target, Figures[]>(TARGETS.map((target) => [target, []]));
  for (let round = 0; round < rounds; round++) {
    // To and fro, so that none always runs after the same other one.
    for (const target of round % 2 === 0 ? TARGETS : TARGETS.toReversed())
      measured.get(target)?.push(await measure(target, engine.url, random.fork()));
  }
  console.log(`${name}, ${rounds} rounds of ${ms} ms, Node ${process.versions.node}, ${availableParallelism()} cores\n`);
  console.log(tableOf(measured));
}

if (values.help) console.log(HELP);
else if (engineName === undefined || !(rounds > 0) || !(ms > 0) || !connections.every((count) => count > 0)) {
  console.error(HELP);
  process.exitCode = 2;
} else await run(engineName);
