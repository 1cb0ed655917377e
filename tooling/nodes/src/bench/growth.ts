/** `pnpm nodes:growth`: how much an engine holds while many sessions begin and end, on three nodes. Exit status 1 where it grows. */
import { parseArgs } from "node:util";
import { Connection } from "@oarlock-tooling/bench/http/connection";
import { remove } from "@oarlock-tooling/bench/http/request";
import { openSession } from "@oarlock-tooling/bench/http/session";
import { engineSize } from "@oarlock-tooling/engines";
import { courseOf } from "@oarlock-tooling/test-support/growth";
import { oneOf, positiveInteger, runMain } from "@oarlock-tooling/test-support/program";
import { ENGINES, startEngine } from "../cluster/start-engine.ts";
import { Random } from "../random.ts";
import { startTarget } from "./targets.ts";

const HELP = `pnpm nodes:growth [--engine ${ENGINES.join("|")}] [--sessions N]

Sessions begin on one node and end on the next one. Prints what the engine holds after each twelfth of them.
`;

const ROUNDS = 12;
const PARALLEL = 16;
const KIB = 1024;
/** The records of some sessions, which an engine frees a while after their end. */
const BOUND = 128 * KIB;

async function run(name: (typeof ENGINES)[number], sessions: number): Promise<number> {
  await using engine = await startEngine(name);
  await using cluster = await startTarget({ name: "3 nodes", nodes: 3, hasBackplane: true }, engine.url, new Random(1));
  const ports = cluster.names.map((node) => cluster.node(node).port);
  const sizes: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    await Promise.all(Array.from({ length: PARALLEL }, (_, lane) => pass(ports, lane, sessions / ROUNDS / PARALLEL)));
    sizes.push(await engineSize(engine.url));
    console.log(`${Math.round((sessions / ROUNDS) * round)} sessions: ${((sizes.at(-1) ?? 0) / KIB).toFixed(0)} KiB`);
  }
  const { second, last, grows } = courseOf(sizes, BOUND);
  console.log(grows ? `The engine grows from ${second} to ${last} bytes.` : "Nothing grows.");
  return grows ? 1 : 0;
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

await runMain(HELP, (args) => {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ args, options: { engine: text, sessions: text } });
  const { engine = "volatile-valkey", sessions = "100000" } = values;
  return run(oneOf("--engine", engine, ENGINES), positiveInteger("--sessions", sessions));
});
process.exit();
