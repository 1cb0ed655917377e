/** Runs the official suite against the everything server and our client, for each revision. Exits with 1 on an unexpected result. */
import { expectedFailures, wrongWith } from "./expected-failures.ts";
import { startEverything } from "./everything-process.ts";
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

let surprises = 0;
await using everything = await startEverything();
console.log("revision    leg      as hoped  checks");
for (const revision of [...REVISIONS, EXTENSIONS]) {
  const { server, client } = await scenariosOf(revision);
  surprises += report(revision, "server", await judgeServer(everything.url, revision, server));
  const outcomes: Outcome[] = [];
  for (const scenario of client) outcomes.push(await judgeClient(revision, scenario)); // one by one: some measure time
  if (client.length > 0) surprises += report(revision, "client", outcomes);
}
process.exitCode = surprises === 0 ? 0 : 1;
