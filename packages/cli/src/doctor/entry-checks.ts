// Entry checks: what an entry of a host gives to this server, by the parser and the checks of the server itself.
import { resolve } from "node:path";
import { readCommandLine, type CommandLine } from "../command-line.ts";
import type { Environment } from "../process/environment.ts";
import { expandHome } from "../flag-value.ts";
import { switchesOf, type Flags, type FlagValues } from "../flags.ts";
import { SHARED, type SharedOptions } from "../shared-flags.ts";
import { StartError } from "../start/start-error.ts";
import type { Check } from "./check.ts";

/** What `doctor` uses of the command line of a server. */
export interface DoctorSpec<F extends Flags> {
  readonly name: string;
  readonly flags: F;
  readonly serverJson?: URL;
  readonly positionals?: { path?(positional: string, change: (path: string) => string): string };
  doctor?(
    options: FlagValues<F> & SharedOptions,
    positionals: readonly string[],
    machine: { readonly env: Environment },
  ): readonly Check[] | Promise<readonly Check[]>;
}

/** The arguments and the environment of a start. */
export interface ServerStart {
  readonly args: readonly string[];
  readonly env: Environment;
  /** Where relative paths among the positionals begin. */
  readonly folder?: string | undefined;
}

/** Throws a StartError, with the message of the start, for arguments that the server does not accept. */
export function readStart<F extends Flags>(spec: DoctorSpec<F>, { args, env }: ServerStart): CommandLine<F & typeof SHARED> {
  const { name, positionals } = spec;
  const line = readCommandLine<F & typeof SHARED>([...switchesOf(spec.flags), ...switchesOf(SHARED)], { args, env, program: name });
  if (positionals === undefined && line.positionals.length > 0)
    throw new StartError(`${name} accepts switches only. Remove the other arguments, or see ${name} --help.`, 2);
  return line;
}

/** The checks of the server itself, of what its arguments name. */
export async function namedChecks<F extends Flags>(
  { positionals: spec, doctor }: DoctorSpec<F>,
  line: CommandLine<F & typeof SHARED>,
  { env, folder }: Pick<ServerStart, "env" | "folder">,
): Promise<readonly Check[]> {
  const options = line.options as FlagValues<F> & SharedOptions; // the values of F and of SHARED
  const changePath = spec?.path ?? ((positional: string, change: (path: string) => string) => change(positional));
  const absolute = (path: string): string => (folder === undefined ? expandHome(path) : resolve(folder, expandHome(path)));
  return (
    (await doctor?.(
      options,
      line.positionals.map((positional) => changePath(positional, absolute)),
      { env },
    )) ?? []
  );
}
