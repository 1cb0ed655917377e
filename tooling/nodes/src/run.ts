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
  const options = readOptions(args);
  const { minutes, clients, nodes, rate, mode, proxy, faultEverySeconds, seed } = options;
  await using engine = options.engine === "none" ? undefined : await startEngine(options.engine);
  const faults = engine === undefined ? options.faults.filter((kind) => !ENGINE_FAULTS.includes(kind)) : options.faults;
  console.log(`seed ${seed}: ${nodes} nodes on ${options.engine}, ${clients} clients, ${minutes} minutes, balancer ${proxy ?? mode}`);
  const { recorder, verdict } = await soak({
    ...{ seed, nodes, mode, proxy, engine, clients, faults },
    ms: minutes * 60_000,
    callsPerSecond: rate,
    faultEveryMs: faultEverySeconds * 1000,
    losesData: options.engine !== "none" && losesData(options.engine),
    requestMs: REQUEST_MS,
    isShort: false,
    onLine: (text) => console.log(text),
  });
  console.log(`\n${report(recorder, verdict)}\nseed ${seed}`);
  return verdict.violations.length === 0 ? 0 : 1;
}

await runMain(HELP, main);
process.exit();
