// doctor: looks at what a server needs on this machine, and reports what is wrong with its remedy. Changes nothing.
import { readCommandLine, type CommandLine } from "../command-line.ts";
import { expandHome } from "../flag-value.ts";
import { switchesOf, type Flags, type FlagValues } from "../flags.ts";
import { exitWith } from "../process-lifecycle.ts";
import { SHARED, type SharedOptions } from "../shared-flags.ts";
import { toStartError } from "../start/start-error.ts";
import { failedBy, passed, type Check } from "./check.ts";
import { hostChecks, type HostReport } from "./hosts/host-checks.ts";
import { httpChecks } from "./http-checks.ts";
import { isFine, jsonReport, textReport, type Report } from "./report.ts";

/** The options of a server: its own and the shared ones. */
type OptionsOf<F extends Flags> = FlagValues<F> & SharedOptions;

/** What `doctor` uses of the command line of a server. */
interface DoctorSpec<F extends Flags> {
  readonly name: string;
  readonly flags: F;
  readonly positionals?: { path?(positional: string, change: (path: string) => string): string };
  doctor?(
    options: OptionsOf<F>,
    positionals: readonly string[],
    machine: { readonly env: Readonly<Record<string, string | undefined>> },
  ): readonly Check[] | Promise<readonly Check[]>;
}

/** Runs the checks and exits: 0 when nothing is wrong, 1 otherwise. `args`: those after `doctor`, and those before it. */
export async function runDoctor<F extends Flags>(spec: DoctorSpec<F>, args: readonly string[]): Promise<void> {
  const isJson = args.includes("--json");
  const report = await examine(
    spec,
    args.filter((arg) => arg !== "--json"),
  );
  exitWith(isFine(report.checks) ? 0 : 1, process.stdout, isJson ? jsonReport(report) : textReport(report));
}

async function examine<F extends Flags>(spec: DoctorSpec<F>, args: readonly string[]): Promise<Report> {
  const { name } = spec;
  // An unsupported Node was reported before this file was loaded.
  const checks: Check[] = [passed("node", `Node ${process.versions.node} is supported.`)];
  const switches = [...switchesOf(spec.flags), ...switchesOf(SHARED)];
  try {
    const line = readCommandLine<F & typeof SHARED>(switches, { args, env: process.env, program: name });
    checks.push(passed("switches", "All switches and variables are known and have valid values."));
    checks.push(...(await ownChecks(spec, line)));
  } catch (error) {
    checks.push(failedBy("switches", error, `Correct it, or see ${name} --help.`));
  }
  const hosts = await lookAtHosts(name);
  return { server: name, checks: [...checks, ...hosts.checks], notChecked: hosts.notChecked };
}

async function ownChecks<F extends Flags>(spec: DoctorSpec<F>, line: CommandLine<F & typeof SHARED>): Promise<Check[]> {
  const options = line.options as OptionsOf<F>; // the values of F and of SHARED
  const changePath = spec.positionals?.path ?? ((positional: string, change: (path: string) => string) => change(positional));
  const positionals = line.positionals.map((positional) => changePath(positional, expandHome));
  const { doctor } = spec;
  return [
    ...(await guarded("http", async () => httpChecks(options, (key) => line.given.has(key)))),
    ...(doctor === undefined ? [] : await guarded(spec.name, async () => doctor(options, positionals, { env: process.env }))),
  ];
}

async function lookAtHosts(name: string): Promise<HostReport> {
  try {
    return await hostChecks(name, process.env);
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
