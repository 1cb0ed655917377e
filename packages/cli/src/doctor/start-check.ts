// Start check: starts the server of doctor itself in a process of its own, read-only, as the entry of a host would be started.
import { isList, type Flag, type Flags, type Switch } from "../flags.ts";
import type { CliProcess } from "../process/cli-process.ts";
import type { CommandLine } from "../command-line.ts";
import { HTTP_ONLY } from "../shared-flags.ts";
import { failed, noted, passed, type Check } from "./check.ts";
import { startEntry } from "./hosts/start-entry.ts";

/** What the start must not do: listen, write a file, send, or print. A secret does not go into its arguments. */
const LEFT_OUT: readonly string[] = [
  ...["http", "readOnly", "audit", "otel", "stateKey", "logFormat", "printConfig", "help", "version"],
  ...HTTP_ONLY,
];

export interface StartQuestion<F extends Flags> {
  /** Its name. */
  readonly server: string;
  readonly switches: readonly Switch[];
  readonly line: Pick<CommandLine<F>, "given" | "positionals">;
  readonly on: Pick<CliProcess, "argv" | "execArgv" | "env">;
}

/** None where the file of the program is not known. Nothing is changed on disk. */
export async function checkStart<F extends Flags>({ server, switches, line, on }: StartQuestion<F>): Promise<Check[]> {
  const name = "starts";
  const { given, positionals } = line;
  const [, script] = on.argv;
  if (script === undefined || script === "") return [];
  // Single values go by their variables, as one may be a secret, and the arguments of a process are seen by others.
  const env: NodeJS.ProcessEnv = { ...on.env };
  const args: string[] = [];
  for (const { key, name: flagName, env: variable, flag } of switches) {
    const values = LEFT_OUT.includes(key) ? [] : (given.get(key) ?? []).filter((value) => value !== flag.httpOnly);
    if (isList(flag)) args.push(...values.map((value) => `--${flagName}=${value}`));
    else for (const value of values) env[variable] = textOf(flag, value);
  }
  if (positionals.length > 0) args.push("--", ...positionals);
  const isReadOnly = given.get("readOnly")?.at(-1) === true;
  const result = await startEntry({ command: process.execPath, args: [...on.execArgv, script, ...args], env, isReadOnly });
  switch (result.kind) {
    case "started":
      return [passed(name, `The server starts over stdio${without(given)}, and answered after ${result.ms} ms.`)];
    case "failed":
      return [failed(name, `The server does not start: ${result.reason}`, `Correct what the message names, or see ${server} --help.`)];
    default:
      return [noted(name, "not started", "The server writes at its start, and doctor changes nothing, so it was not started.")];
  }
}

/** Names what the start was given and did not get: `, without the switches of HTTP, --audit and --otel`. */
function without(given: ReadonlyMap<string, unknown>): string {
  const parts = [
    ...(["http", ...HTTP_ONLY].some((key) => given.has(key)) ? ["the switches of HTTP"] : []),
    ...(given.has("audit") ? ["--audit"] : []),
    ...(given.has("otel") ? ["--otel"] : []),
    ...(given.has("stateKey") ? ["--state-key"] : []),
  ];
  return parts.length === 0 ? "" : `, without ${new Intl.ListFormat("en-GB").format(parts)}`;
}

const textOf = (flag: Flag, value: unknown): string => `${String(value)}${flag.type === "rate" ? "/s" : ""}`;
