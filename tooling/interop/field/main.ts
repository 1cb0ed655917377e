// `pnpm interop:field [PACKAGE]`: tries every client with every server over both transports, one at a time, and writes docs/clients.md
// when all clients took part and nothing failed.
import { readFileSync, writeFileSync } from "node:fs";
import { transportsOf } from "../src/field/field-client.ts";
import { SERVER_CASES } from "../src/field/server-cases.ts";
import { renderPage } from "../src/field/table.ts";
import { tryClient, type Trial } from "../src/field/trial.ts";
import { FIELD_CLIENTS } from "./clients.ts";

const [only] = process.argv.slice(2);
const clients = FIELD_CLIENTS.filter(({ name }) => only === undefined || name === only);
if (clients.length === 0) throw new Error(`Unknown client ${only}: expected one of ${FIELD_CLIENTS.map(({ name }) => name).join(", ")}.`);

const startedAt = performance.now();
const isFailed = ({ outcomes }: Trial): boolean => Object.values(outcomes).some(({ is }) => is === "failed");
const trials: Trial[] = [];
let repeated = 0;
for (const client of clients)
  for (const over of transportsOf(client))
    for (const one of SERVER_CASES) {
      let trial = await tryClient(client, one, over);
      report(trial);
      // A busy machine can exceed a time limit of the client. What fails twice is a failure, and the page names how many ran twice.
      if (isFailed(trial)) {
        repeated++;
        trial = await tryClient(client, one, over);
        report(trial);
      }
      trials.push(trial);
    }

function report({ client, server, over, outcomes, revision, longCallMs }: Trial): void {
  const steps = Object.entries(outcomes).map(([step, { is, detail }]) =>
    is === "failed" ? `${step} FAILED (${detail})` : `${step} ${is}`,
  );
  console.log(`${client.name} ${server} ${over} in ${revision ?? "?"}, long call ${longCallMs ?? "-"} ms: ${steps.join(", ")}`);
}

const failures = trials.filter(isFailed);
console.log(`${trials.length} trials, ${failures.length} with failures`);
if (failures.length === 0 && only === undefined) {
  const manifest = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8")) as { dependencies: Record<string, string> }; // ours
  const page = renderPage(trials, {
    versions: manifest.dependencies,
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    repeated,
    minutes: Math.round((performance.now() - startedAt) / 60_000),
  });
  writeFileSync(new URL("../../../docs/clients.md", import.meta.url), page);
}
process.exit(failures.length === 0 ? 0 : 1);
