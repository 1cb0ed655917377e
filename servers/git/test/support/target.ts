// The git server over given repositories, both ways: in this process, and as a process of its own.
import { fileURLToPath } from "node:url";
import type { Command } from "@oarlock/client";
import { nodeCommand, type Target } from "@oarlock/testing";
import { createServer, type Options } from "../../src/server.ts";

/** The sources, or with OARLOCK_BUILT=1 the build, which starts three times as fast. */
const BIN = new URL(process.env["OARLOCK_BUILT"] === "1" ? "../../dist/bin.js" : "../../src/bin.ts", import.meta.url);
/** Compiled code is kept, as many processes are started here. */
const COMPILED = fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url));

/** The command that runs the server. */
export const bin = (args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Command =>
  nodeCommand(BIN, args, { NODE_COMPILE_CACHE: COMPILED, HOME: "/nonexistent", ...env });

/** What a server of these tests may be given; nothing of the user's own environment counts. */
export type Setup = Omit<Options, "cwd" | "maxResultBytes" | "env"> & {
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
  const { runHooks, sign, filters, allowDiscard, lean } = switches;
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
    ...(lean === true ? ["--lean"] : []),
  ];
}

export async function targetOf(setup: Setup): Promise<Target> {
  const env = { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", ...setup.env };
  const { server } = await createServer({ ...setup, cwd: "/", env });
  return { server: () => server, command: bin(argumentsOf(setup), setup.env) };
}
