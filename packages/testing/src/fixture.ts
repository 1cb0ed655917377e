// Runs a TypeScript file as a server process, on the Node that runs the tests and on the sources of every package.
import { fileURLToPath } from "node:url";
import type { Command } from "@oarlock/client";

/**
 * The command that runs a file.
 * @example const command = fixture(new URL("fixtures/echo.ts", import.meta.url), ["--loud"]);
 */
export function fixture(file: URL | string, args: readonly string[] = [], env?: Readonly<Record<string, string | undefined>>): Command {
  const path = typeof file === "string" ? file : fileURLToPath(file);
  return { command: process.execPath, args: ["--conditions=oarlock-source", path, ...args], ...(env !== undefined && { env }) };
}
