/** `pnpm nodes:growth`: how much an engine holds while many sessions begin and end, on three nodes. */
import { parseArgs } from "node:util";
import { Connection } from "@oarlock-tooling/bench/http/connection";
import { remove } from "@oarlock-tooling/bench/http/request";
import { openSession } from "@oarlock-tooling/bench/http/session";
import { engineSize } from "@oarlock-tooling/engines";
import { ENGINES, startEngine } from "../cluster/start-engine.ts";
import { Random } from "../random.ts";
import { startTarget } from "./targets.ts";

const HELP = `pnpm nodes:growth [--engine ${ENGINES.join("|")}] [--sessions N]

Sessions begin on one node and end on the next one. Prints what the engine holds after each tenth of them: the last tenth should add nothing.
`;

const ROUNDS = 10;
const PARALLEL = 16;

const { values } = parseArgs({
  options: {
    engine: { type: "string", default: "volatile-valkey" },
    sessions: { type: "string", default: "100000" },
    help: { type: "boolean", default: false },
  },
});

async function run(name: (typeof ENGINES)[number], sessions: number): Promise<void> {
  await using engine = await startEngine(name);
  await using cluster = await startTarget({ name: "3 nodes", nodes: 3, hasBackplane: true }, engine.url, new Random(1));
  const ports = cluster.names.map((node) => cluster.node(node).port);
  for (let round = 1; round <= ROUNDS; round++) {
    await Promise.all(Array.from({ length: PARALLEL }, (_, lane) => pass(ports, lane, sessions / ROUNDS / PARALLEL)));
    console.log(`${(sessions / ROUNDS) * round} sessions: ${((await engineSize(engine.url)) / 1024).toFixed(0)} KiB`);
  }
}

/** Begins and ends sessions, one after another. */
async function pass(ports: readonly number[], lane: number, count: number): Promise<void> {
  const portAt = (index: number): number => ports[index % ports.length] ?? 0;
  const [first, second] = [portAt(lane), portAt(lane + 1)];
  const [beginning, ending] = await Promise.all([Connection.to(first), Connection.to(second)]);
  for (let done = 0; done < count; done++) {
    const session = await openSession(beginning, first);
    const { status } = await ending.request(remove(second, session));
    if (status !== 204) throw new Error(`DELETE was answered with ${status}.`);
  }
  beginning.end();
  ending.end();
}

const engine = ENGINES.find((name) => name === values.engine);
if (values.help || engine === undefined) console.log(HELP);
else await run(engine, Number(values.sessions));
process.exit();
