/** `pnpm nodes:soak`: clients of every kind on several nodes, with faults. Exit status 1 where a message is lost, doubled or late. */
import { runMain } from "@oarlock-tooling/test-support/program";
import { report } from "./check/report.ts";
import { losesData, startEngine } from "./cluster/start-engine.ts";
import { ENGINE_FAULTS } from "./faults/faults.ts";
import { HELP, readOptions } from "./options.ts";
import { soak } from "./soak.ts";

/** Longer than the lease of a node, after which the streams of a dead one end. */
const REQUEST_MS = 30_000;

async function main(args: string[]): Promise<number> {
  const { engine: name, ...options } = readOptions(args);
  const { seed, nodes, clients, ms, proxy, mode } = options;
  await using engine = name === "none" ? undefined : await startEngine(name);
  const faults = engine === undefined ? options.faults.filter((kind) => !ENGINE_FAULTS.includes(kind)) : options.faults;
  console.log(`seed ${seed}: ${nodes} nodes on ${name}, ${clients} clients, ${ms / 60_000} minutes, balancer ${proxy ?? mode}`);
  const { recorder, verdict } = await soak({
    ...{ ...options, engine, faults, requestMs: REQUEST_MS, isShort: false },
    losesData: name !== "none" && losesData(name),
    onLine: (text) => console.log(text),
  });
  console.log(`\n${report(recorder, verdict)}\nseed ${seed}`);
  return verdict.violations.length === 0 ? 0 : 1;
}

await runMain(HELP, main);
process.exit();
