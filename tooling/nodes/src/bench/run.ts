/** `pnpm nodes:bench`: calls per second and their times on 1, 2 and 3 nodes with a backplane, beside one process without. */
import { parseArgs } from "node:util";
import type { Figures } from "@oarlock-tooling/bench/figures";
import { figuresOfCalls, flood } from "@oarlock-tooling/bench/http/lane";
import { heading, problemLines, suiteTable } from "@oarlock-tooling/bench/report";
import { measure } from "@oarlock-tooling/bench/rounds";
import { ENGINES, startEngine } from "../cluster/start-engine.ts";
import { Random } from "../random.ts";
import { openLanes, startTarget, TARGETS, WAYS, type Target } from "./targets.ts";

const HELP = `pnpm nodes:bench [--engine ${ENGINES.join("|")}] [--rounds N] [--connections N,N] [--ms N]

Echo of 64 bytes. Connections go to the nodes in turn, without a balancer. In each round all targets run one after the other. Cells are medians of the
rounds; in brackets the median of the rounds' ratios to one process without a backplane.
`;

/** So long may one target take in one round. */
const LIMIT_SECONDS = 600;

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

async function measureTarget(target: Target, engineUrl: string, random: Random): Promise<Figures> {
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

async function run(name: (typeof ENGINES)[number]): Promise<void> {
  const random = new Random(1);
  await using engine = await startEngine(name);
  const suite = { about: `echo on ${name}, ${ms} ms each`, measure: (target: Target) => measureTarget(target, engine.url, random.fork()) };
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
  if (measured.problems.length > 0) process.exitCode = 1;
}

if (values.help) console.log(HELP);
else if (engineName === undefined || !(rounds > 0) || !(ms > 0) || !connections.every((count) => count > 0)) {
  console.error(HELP);
  process.exitCode = 2;
} else await run(engineName);
