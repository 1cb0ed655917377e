// The command that runs a TypeScript or JavaScript file with the Node of the test run.
import { fileURLToPath } from "node:url";
import type { Command } from "@oarlock/client";

/**
 * In the repository of this package, servers resolve their packages to TypeScript sources, as this file itself was; with OARLOCK_BUILT=1 to the
 * builds, which start in half of the time.
 */
const isFromSource = import.meta.url.endsWith(".ts") && process.env["OARLOCK_BUILT"] !== "1";
const NODE_ARGS = isFromSource ? ["--conditions=oarlock-source"] : [];

/**
 * The command that runs a file as a server process.
 * @example const command = nodeCommand(new URL("../src/server.ts", import.meta.url), ["--read-only"]);
 */
export function nodeCommand(file: URL | string, args: readonly string[] = [], env?: Readonly<Record<string, string | undefined>>): Command {
  const path = typeof file === "string" ? file : fileURLToPath(file);
  return { command: process.execPath, args: [...NODE_ARGS, path, ...args], ...(env !== undefined && { env }) };
}
