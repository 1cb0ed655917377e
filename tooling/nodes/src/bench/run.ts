/** `pnpm nodes:bench`: calls per second and their times on 1, 2 and 3 nodes with a backplane, beside one process without. */
import { parseArgs } from "node:util";
import type { Figures } from "@oarlock-tooling/bench/figures";
import { figuresOfCalls, flood } from "@oarlock-tooling/bench/http/lane";
import { heading, problemLines, suiteTable } from "@oarlock-tooling/bench/report";
import { measure } from "@oarlock-tooling/bench/rounds";
import { oneOf, positiveInteger, positiveNumber, runMain } from "@oarlock-tooling/test-support/program";
import { ENGINES, startEngine } from "../cluster/start-engine.ts";
import { Random } from "../random.ts";
import { openLanes, startTarget, TARGETS, WAYS, type Target } from "./targets.ts";

const HELP = `pnpm nodes:bench [--engine ${ENGINES.join("|")}] [--rounds N] [--connections N,N] [--ms N]

Echo of 64 bytes. Connections go to the nodes in turn, without a balancer. In each round all targets run one after the other. Cells are medians of the
rounds; in brackets the median of the rounds' ratios to one process without a backplane.
`;

/** So long may one target take in one round. */
const LIMIT_SECONDS = 600;

interface Order {
  readonly engine: (typeof ENGINES)[number];
  readonly rounds: number;
  readonly connections: readonly number[];
  /** How long each way of calls is measured. */
  readonly ms: number;
}

async function measureTarget(target: Target, engineUrl: string, random: Random, { connections, ms }: Order): Promise<Figures> {
  const figures: Figures = {};
  await using cluster = await startTarget(target, engineUrl, random);
  for (const way of WAYS) {
    if (way === "session of another node" && target.nodes === 1) continue;
    await flood(await openLanes(cluster, way, 4), ms / 2); // lets the compiler settle
    for (const count of connections)
      Object.assign(figures, figuresOfCalls(`${way} c${count}`, await flood(await openLanes(cluster, way, count), ms)));
  }
  return figures;
}

async function run(order: Order): Promise<number> {
  const { engine: name, rounds, ms } = order;
  const random = new Random(1);
  await using engine = await startEngine(name);
  const suite = {
    about: `echo on ${name}, ${ms} ms each`,
    measure: (target: Target) => measureTarget(target, engine.url, random.fork(), order),
  };
  const measured = await measure({
    name: "nodes",
    suite,
    targets: TARGETS,
    rounds,
    quick: false,
    limit: LIMIT_SECONDS,
    wanted: () => true,
  });
  console.log([heading(), suiteTable(measured, TARGETS[0]?.name ?? ""), ...problemLines([measured])].join("\n"));
  return measured.problems.length === 0 ? 0 : 1;
}

await runMain(HELP, (args) => {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ args, options: { engine: text, rounds: text, connections: text, ms: text } });
  const { engine = "volatile-valkey", rounds = "5", connections = "1,16", ms = "1000" } = values;
  return run({
    engine: oneOf("--engine", engine, ENGINES),
    rounds: positiveInteger("--rounds", rounds),
    connections: connections.split(",").map((count) => positiveInteger("--connections", count)),
    ms: positiveNumber("--ms", ms),
  });
});
