/**
 * Runs the official suite against the everything server and our client, for each revision. Exits with 1 on an unexpected result. With
 * `--nodes N` the server runs on N nodes behind a load balancer, on the engine that `--engine` names (valkey or postgres), and our client
 * is left out.
 */
import { parseArgs } from "node:util";
import { oneOf } from "@oarlock-tooling/test-support/program";
import { expectedFailures, wrongWith } from "./expected-failures.ts";
import { startEverything, startEverythingOn } from "./start-everything.ts";
import { EXTENSIONS, judgeClient, judgeServer, REVISIONS, scenariosOf, type Outcome, type Scenarios } from "./suite.ts";

/** One line for a leg, and under it what is wrong or odd. Gives how many scenarios are wrong. */
function report(revision: string, leg: keyof Scenarios, outcomes: readonly Outcome[]): number {
  const expected = expectedFailures(revision, leg);
  const judged = outcomes.map((outcome) => ({ ...outcome, wrong: wrongWith(outcome, expected) }));
  const wrong = judged.filter((outcome) => outcome.wrong.length > 0);
  const known = judged.filter(({ scenario }) => expected.includes(scenario)).length;
  const checks = judged.reduce((sum, { passed }) => sum + passed, 0);
  const cells = [revision, leg.padEnd(6), `${outcomes.length - wrong.length} of ${outcomes.length}`.padStart(8), `${checks}`.padStart(6)];
  console.log(cells.join("  ") + (known > 0 ? `  (${known} expected to fail)` : ""));
  for (const { scenario, wrong: lines, warnings } of judged) {
    for (const line of lines) console.log(`  FAIL  ${scenario}: ${line}`);
    for (const line of warnings) console.log(`  warn  ${scenario}: ${line}`);
  }
  return wrong.length;
}

const { values } = parseArgs({
  options: {
    nodes: { type: "string", default: "0" },
    engine: { type: "string", default: "valkey" },
    seed: { type: "string", default: "1" },
  },
});
const engine = oneOf("--engine", values.engine, ["valkey", "postgres"]);
const [nodes, seed] = [Number(values.nodes), Number(values.seed)];
if (!Number.isInteger(nodes) || nodes < 0) throw new TypeError("--nodes: expected a number");

let surprises = 0;
await using everything = nodes === 0 ? await startEverything() : await startEverythingOn(nodes, engine, seed);
console.log("revision    leg      as hoped  checks");
for (const revision of [...REVISIONS, EXTENSIONS]) {
  const { server, client } = await scenariosOf(revision);
  surprises += report(revision, "server", await judgeServer(everything.url, revision, server));
  if (nodes > 0) continue;
  const outcomes: Outcome[] = [];
  for (const scenario of client) outcomes.push(await judgeClient(revision, scenario)); // one by one: some measure time
  if (client.length > 0) surprises += report(revision, "client", outcomes);
}
process.exitCode = surprises === 0 ? 0 : 1;
