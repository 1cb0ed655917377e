// The SQLite server over given databases, in this process or in a process of its own.
import { basename, extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "@oarlock/client";
import type { Server } from "@oarlock/server-kit";
import { nodeCommand, type Target } from "@oarlock/testing";
import { createServer, type Options } from "../../src/server.ts";

/** The sources, or with OARLOCK_BUILT=1 the build, which starts three times as fast. */
const BIN = new URL(process.env["OARLOCK_BUILT"] === "1" ? "../../dist/bin.js" : "../../src/bin.ts", import.meta.url);
/** Compiled code is kept, as many processes are started here. */
const COMPILED = fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url));

/** The command that runs the server. */
export const bin = (args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Command =>
  nodeCommand(BIN, args, { NODE_COMPILE_CACHE: COMPILED, ...env });

export interface Setup extends Omit<Options, "databases"> {
  /** Absolute paths; the name of a database is that of its file. */
  readonly files: readonly string[];
  /** Default: false. */
  readonly readOnly?: boolean;
}

/** The same setup as a command line. */
export function argumentsOf({ files, readOnly = false, maxTimeoutMs, maxResultBytes, confirmAbove, allowDestructive }: Setup): string[] {
  return [
    ...(readOnly ? [] : ["--read-write"]),
    ...(maxTimeoutMs === undefined ? [] : [`--timeout=${maxTimeoutMs}`]),
    ...(maxResultBytes === undefined ? [] : [`--max-result-bytes=${maxResultBytes}`]),
    ...(confirmAbove === undefined ? [] : [`--confirm-above=${confirmAbove}`]),
    ...(allowDestructive === true ? ["--allow-destructive"] : []),
    ...files,
  ];
}

/** Leaves the tools that are offered without `--toolsets`. */
export function keepDefaultTools(server: Server): Server {
  server.tools.keep(
    ({ toolset }) => toolset === "default",
    () => "It is switched off.",
  );
  return server;
}

export function targetOf(setup: Setup): Target {
  const { files, readOnly = false, ...options } = setup;
  const databases = files.map((file) => ({ name: basename(file, extname(file)), file, write: !readOnly }));
  return { server: () => createServer({ ...options, databases }).server, command: bin(argumentsOf(setup)) };
}
