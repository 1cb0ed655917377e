// doctor: looks at what a server needs on this machine, and reports what is wrong with its remedy. Changes nothing.
import type { CliProcess } from "../process/cli-process.ts";
import type { CommandLine } from "../command-line.ts";
import type { Environment } from "../process/environment.ts";
import { switchesOf, type Flags } from "../flags.ts";
import { SHARED, type SharedOptions } from "../shared-flags.ts";
import { toStartError } from "../start/start-error.ts";
import { failedBy, passed, type Check } from "./check.ts";
import { namedChecks, readStart, type DoctorSpec } from "./entry-checks.ts";
import { hostChecks, type HostReport } from "./hosts/host-checks.ts";
import { httpChecks } from "./http-checks.ts";
import { operationsChecks } from "./operations-checks.ts";
import { isFine, jsonReport, textReport, type Report } from "./report.ts";
import { checkStart } from "./start-check.ts";

/** Runs the checks and exits: 0 when nothing is wrong, 1 otherwise. `args`: those after `doctor`, and those before it. */
export async function runDoctor<F extends Flags>(spec: DoctorSpec<F>, args: readonly string[], on: CliProcess): Promise<void> {
  const isJson = args.includes("--json");
  const report = await examine(
    spec,
    args.filter((arg) => arg !== "--json"),
    on,
  );
  on.exit(isFine(report.checks) ? 0 : 1, on.stdout, isJson ? jsonReport(report) : textReport(report));
}

async function examine<F extends Flags>(spec: DoctorSpec<F>, args: readonly string[], on: CliProcess): Promise<Report> {
  const { name } = spec;
  // An unsupported Node was reported before this file was loaded.
  const checks: Check[] = [passed("node", `Node ${process.versions.node} is supported.`)];
  try {
    const line = readStart(spec, { args, env: on.env });
    checks.push(passed("switches", "All switches and variables are known and have valid values."));
    const own = await ownChecks(spec, line, on.env);
    checks.push(...own);
    // Where something of the server itself is wrong, the start would only repeat it.
    const switches = [...switchesOf(spec.flags), ...switchesOf(SHARED)];
    if (isFine(own)) checks.push(...(await guarded("starts", async () => checkStart({ server: name, switches, line, on }))));
  } catch (error) {
    checks.push(failedBy("switches", error, `Correct it, or see ${name} --help.`));
  }
  const hosts = await lookAtHosts(spec, on);
  return { server: name, checks: [...checks, ...hosts.checks], notChecked: hosts.notChecked };
}

async function ownChecks<F extends Flags>(spec: DoctorSpec<F>, line: CommandLine<F & typeof SHARED>, env: Environment): Promise<Check[]> {
  const options: SharedOptions = line.options;
  const { name, serverJson } = spec;
  const isGiven = (key: string): boolean => line.given.has(key);
  return [
    ...(await guarded("operations", async () => operationsChecks(name, options))),
    ...(await guarded("http", async () => httpChecks({ name, options, env, isGiven, serverJson }))),
    ...(await guarded(name, async () => namedChecks(spec, line, { env }))),
  ];
}

async function lookAtHosts<F extends Flags>(spec: DoctorSpec<F>, on: CliProcess): Promise<HostReport> {
  try {
    return await hostChecks(spec.name, on, (start) => {
      const line = readStart(spec, start);
      return async () => guarded(spec.name, async () => namedChecks(spec, line, start));
    });
  } catch (error) {
    return { checks: [failedBy("hosts", toStartError(error), REPORT_IT)], notChecked: [] };
  }
}

const REPORT_IT = "Correct it, or report it with this text.";

/** An unexpected error of one check must not hide the others. */
async function guarded(name: string, look: () => Promise<readonly Check[]>): Promise<readonly Check[]> {
  try {
    return await look();
  } catch (error) {
    return [failedBy(name, toStartError(error), REPORT_IT)];
  }
}
