// cli: runs a server as a process, from the command line to the exit code. The only call in a server's bin.
import { thisProcess } from "./process/cli-process.ts";
import type { CliSpec } from "./cli-spec.ts";
import type { Flags } from "./flags.ts";
import { requireNode } from "./process/node-version.ts";
import { runCli } from "./run-cli.ts";

/**
 * Runs a server as a process: reads switches and environment, serves stdio or HTTP, and exits with a code that says why.
 * @example
 * await cli({
 *   name: "hello",
 *   version: "1.0.0",
 *   summary: "greets people",
 *   flags: { loud: { type: "boolean", help: "greet loudly" } },
 *   create: ({ loud }) => defineServer({ name: "hello", version: "1.0.0", tools: loud ? [greet] : [] }),
 * });
 */
export async function cli<const F extends Flags>(spec: CliSpec<F>): Promise<void> {
  requireNode(spec.name);
  await runCli(spec, thisProcess());
}
