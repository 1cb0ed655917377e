// The git server over given repositories, both ways: in this process, and as a process of its own.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Command } from "@oarlock/client";
import type { Server } from "@oarlock/server-kit";
import { nodeCommand, type Target } from "@oarlock/testing";
// A server loads this at its first message. Here it is loaded before the first test, whose time it would take on a busy machine.
import "../../src/offer.ts";
import { createServer, type Options } from "../../src/server.ts";

const BUILT_BIN = new URL("../../dist/bin.js", import.meta.url);
/** The sources, or with OARLOCK_BUILT=1 the build, which starts three times as fast. */
const BIN = process.env["OARLOCK_BUILT"] === "1" ? BUILT_BIN : new URL("../../src/bin.ts", import.meta.url);
/** Compiled code is kept, as many processes are started here. */
const COMPILED = fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url));

/** Neither the configuration of the user nor that of the machine, where Windows has its line ends. */
const NO_CONFIGURATION = { HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" } as const;

/** The command that runs the server. */
export const bin = (args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Command =>
  nodeCommand(BIN, args, { NODE_COMPILE_CACHE: COMPILED, ...NO_CONFIGURATION, ...env });

/** The command that people start. Throws where it was not built. */
export function builtBin(args: readonly string[]): Command {
  if (!existsSync(BUILT_BIN)) throw new Error("servers/git/dist/bin.js is missing: run `pnpm build` first.");
  return { command: process.execPath, args: [fileURLToPath(BUILT_BIN), ...args], env: NO_CONFIGURATION };
}

/** What a server of these tests may be given; nothing of the user's own environment counts. */
export type Setup = Omit<Options, "maxResultBytes" | "env"> & {
  readonly maxResultBytes?: number;
  readonly env?: Readonly<Record<string, string>>;
};

/** The command line that says the same. */
export function argumentsOf({
  repositories = [],
  repositoriesRoots = [],
  roots,
  trust = [],
  protocols = [],
  git,
  maxResultBytes,
  ...switches
}: Setup): string[] {
  const { runHooks, sign, filters, allowDiscard, readOnly, lean } = switches;
  return [
    ...repositories.flatMap((path) => ["--repository", path]),
    ...repositoriesRoots.flatMap((path) => ["--repositories-root", path]),
    ...trust.flatMap((path) => ["--trust", path]),
    ...(protocols.length === 0 ? [] : [`--protocols=${protocols.join(",")}`]),
    ...(roots === undefined ? [] : [`--roots=${roots}`]),
    ...(git === undefined ? [] : [`--git=${git}`]),
    ...(maxResultBytes === undefined ? [] : [`--max-result-bytes=${maxResultBytes}`]),
    ...(runHooks === true ? ["--run-hooks"] : []),
    ...(sign === true ? ["--sign"] : []),
    ...(filters === true ? ["--filters"] : []),
    ...(allowDiscard === true ? ["--allow-discard"] : []),
    ...(readOnly === true ? ["--read-only"] : []),
    ...(lean === true ? ["--lean"] : []),
  ];
}

export async function targetOf(setup: Setup): Promise<Target> {
  const env = { PATH: process.env["PATH"] ?? "", ...NO_CONFIGURATION, ...setup.env };
  const { server } = await createServer({ cwd: "/", ...setup, env });
  const command = bin(argumentsOf(setup), setup.env);
  return { server: () => server, command: setup.cwd === undefined ? command : { ...command, cwd: setup.cwd } };
}

/** The server in this process with the tools that the command line selects: those of the toolsets, with `readOnly` those that only read. */
export async function serverWithToolsets(setup: Setup, toolsets: readonly string[] = ["default"]): Promise<Server> {
  const server = (await targetOf(setup)).server();
  server.tools.keep(({ toolset, hints }) => toolsets.includes(toolset) && (setup.readOnly !== true || hints.readOnly === true));
  return server;
}
