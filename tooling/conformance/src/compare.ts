/** Runs the authorization scenarios with our client and with the official one, in one run, and prints a table: `pnpm conformance:clients`. */
import { CLIENT, EXTENSIONS, judgeClient, OFFICIAL_CLIENT, REVISIONS, scenariosOf, type Outcome } from "./suite.ts";

const mark = ({ passed, failures, warnings }: Outcome): string =>
  failures.length > 0 ? `${failures.length} failed` : `${passed} passed${warnings.length > 0 ? `, ${warnings.length} warned` : ""}`;

const totals = { ours: 0, official: 0, of: 0 };
const notes: string[] = [];
console.log("| revision | scenario | @oarlock/client | @modelcontextprotocol/client |\n| --- | --- | --- | --- |");
for (const revision of [...REVISIONS, EXTENSIONS]) {
  const { client } = await scenariosOf(revision);
  for (const scenario of client.filter((name) => name.startsWith("auth/"))) {
    const ours = await judgeClient(revision, scenario, CLIENT);
    const official = await judgeClient(revision, scenario, OFFICIAL_CLIENT);
    console.log(`| ${revision} | ${scenario} | ${mark(ours)} | ${mark(official)} |`);
    totals.of++;
    if (ours.failures.length === 0) totals.ours++;
    if (official.failures.length === 0) totals.official++;
    for (const [name, { failures }] of Object.entries({ ours, official }))
      for (const line of failures) notes.push(`- ${name}, ${revision}, ${scenario}: ${line.split("\n")[0]}`);
  }
}
console.log(`\nScenarios without a failure: ours ${totals.ours} of ${totals.of}, official ${totals.official} of ${totals.of}.`);
if (notes.length > 0) console.log(`\n${notes.join("\n")}`);
