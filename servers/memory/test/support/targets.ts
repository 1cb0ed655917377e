// The memory server over a given file, both ways: in this process, and as a process of its own.
import { fileURLToPath } from "node:url";
import type { Command } from "@oarlock/client";
import { nodeCommand, type Target } from "@oarlock/testing";
import { locate } from "../../src/configured-location.ts";
import { createServer } from "../../src/server.ts";

const BIN = new URL("../../src/bin.ts", import.meta.url);
/** Many processes are started here; compiled sources that are kept make each three times cheaper. */
const COMPILED = fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url));

/** The command that runs the server from its sources. */
export const bin = (args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Command =>
  nodeCommand(BIN, args, { NODE_COMPILE_CACHE: COMPILED, ...env });

export interface Setup {
  /** As --db and MEMORY_FILE_PATH take it: .jsonl for a mirror, .db without. */
  readonly file: string;
  readonly allowPurge?: boolean;
  readonly maxResultBytes?: number;
}

/** The command line that says the same. */
export const argumentsOf = ({ file, allowPurge, maxResultBytes }: Setup): string[] => [
  `--db=${file}`,
  ...(allowPurge === true ? ["--allow-purge"] : []),
  ...(maxResultBytes === undefined ? [] : [`--max-result-bytes=${maxResultBytes}`]),
];

/** The definition is made when it is asked for: a store that nobody opens is not opened. */
export function targetOf(setup: Setup): Target {
  const { file, ...options } = setup;
  return { server: () => createServer({ location: locate(file, {}), ...options }), command: bin(argumentsOf(setup)) };
}
