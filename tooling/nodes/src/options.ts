/** The switches of `pnpm nodes:soak`. */
import { parseArgs } from "node:util";
import { oneOf, positiveNumber } from "@oarlock-tooling/test-support/program";
import { FAULT_KINDS, type FaultKind } from "./check/records.ts";
import { ENGINES } from "./cluster/start-engine.ts";
import { PROXIES } from "./proxy/proxy-program.ts";
import { BALANCER_MODES } from "./proxy/balancer.ts";

export const HELP = `pnpm nodes:soak [options]

  --minutes N       how long the load lasts; default 10
  --clients N       how many clients; default 200
  --nodes N         how many nodes; default 3
  --rate N          calls per second of all clients together; default 60
  --engine NAME     valkey (default), volatile-valkey (a restart forgets everything), postgres,
                    or none for a single node
  --mode NAME       how the balancer picks a node: ${BALANCER_MODES.join(", ")}; default random
  --proxy NAME      a proxy in place of our balancer, with the file of the example: ${PROXIES.join(", ")}; not with break-streams
  --faults LIST     all, none, or names with commas between them: ${FAULT_KINDS.map((kind) => kind.replaceAll(" ", "-")).join(", ")};
                    default all
  --fault-every S   seconds between the beginnings of two faults; default 20
  --seed N          repeats a run; default: a new one, which is printed
`;

/** Throws a TypeError on wrong usage. */
export function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: "string", default: "10" },
      clients: { type: "string", default: "200" },
      nodes: { type: "string", default: "3" },
      rate: { type: "string", default: "60" },
      engine: { type: "string", default: "valkey" },
      mode: { type: "string", default: "random" },
      proxy: { type: "string" },
      faults: { type: "string", default: "all" },
      "fault-every": { type: "string", default: "20" },
      seed: { type: "string", default: String(Date.now() % 1e6) },
    },
  });
  return {
    ms: positiveNumber("--minutes", values.minutes) * 60_000,
    clients: positiveNumber("--clients", values.clients),
    nodes: positiveNumber("--nodes", values.nodes),
    callsPerSecond: positiveNumber("--rate", values.rate),
    engine: oneOf("--engine", values.engine, [...ENGINES, "none" as const]),
    mode: oneOf("--mode", values.mode, BALANCER_MODES),
    proxy: values.proxy === undefined ? undefined : oneOf("--proxy", values.proxy, PROXIES),
    faults: faultsOf(values.faults),
    faultEveryMs: positiveNumber("--fault-every", values["fault-every"]) * 1000,
    seed: positiveNumber("--seed", values.seed),
  };
}

function faultsOf(text: string): readonly FaultKind[] {
  if (text === "all") return FAULT_KINDS;
  if (text === "none") return [];
  return text.split(",").map((name) => oneOf("--faults", name.replaceAll("-", " "), FAULT_KINDS));
}
