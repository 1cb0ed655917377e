// How tests start the memory server on a file: in this process, or as a process of its own.
import { fileURLToPath } from "node:url";
import type { Command } from "@oarlock/client";
import type { Server } from "@oarlock/server-kit";
import { nodeCommand, type Target } from "@oarlock/testing";
import { locate } from "../../src/configured-location.ts";
import { createServer } from "../../src/server.ts";
import { dbOf } from "./store-under-test.ts";

/** The sources, or with OARLOCK_BUILT=1 the build, which starts three times as fast. */
const BIN = new URL(process.env["OARLOCK_BUILT"] === "1" ? "../../dist/bin.js" : "../../src/bin.ts", import.meta.url);
/** Compiled code is kept, as many processes are started here. */
const COMPILED = fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url));

/** The command that runs the server. */
export const bin = (args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Command =>
  nodeCommand(BIN, args, { NODE_COMPILE_CACHE: COMPILED, ...env });

export interface Setup {
  /** For --db and MEMORY_FILE_PATH: .jsonl with a mirror, .db without. */
  readonly file: string;
  readonly allowPurge?: boolean;
  readonly lean?: boolean;
  /** Default: `default`, as of the command line. */
  readonly toolsets?: readonly string[];
  readonly maxResultBytes?: number;
  /** In this process only. */
  readonly keepHistoryMs?: number;
  /** In this process only. */
  readonly report?: (message: string) => void;
}

/** The same as switches. */
export const argumentsOf = ({ file, allowPurge, lean, toolsets, maxResultBytes }: Setup): string[] => [
  `--db=${dbOf(file)}`,
  ...(allowPurge === true ? ["--allow-purge"] : []),
  ...(lean === true ? ["--lean"] : []),
  ...(toolsets === undefined ? [] : [`--toolsets=${toolsets.join(",")}`]),
  ...(maxResultBytes === undefined ? [] : [`--max-result-bytes=${maxResultBytes}`]),
];

/** The server is created when it is needed, so that unused stores are not opened. */
export function targetOf(setup: Setup): Target {
  const { file, toolsets = ["default"], ...options } = setup;
  const create = (): Server => {
    const server = createServer({ location: locate(dbOf(file), {}), ...options });
    server.tools.keep(({ toolset }) => toolsets.includes(toolset));
    return server;
  };
  return { server: create, command: bin(argumentsOf(setup)) };
}
