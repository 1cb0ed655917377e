// npm in a folder, as a new user runs it, on the Node of this test run and with the registry of the test.
import { delimiter, dirname, join, resolve } from "node:path";
import { runProgram, type ProgramResult } from "@oarlock-tooling/test-support/run-program";
import { root } from "./repository.ts";

interface RunOptions {
  cwd: string;
  env?: Record<string, string>;
  /** Text for stdin, which is never a terminal. Default: empty. */
  input?: string;
}

/** Runs a program until it exits, with any exit code. */
export function ran(program: string, args: readonly string[], { cwd, env = {}, input = "" }: RunOptions): Promise<ProgramResult> {
  const PATH = [dirname(process.execPath), process.env["PATH"]].join(delimiter);
  return runProgram(program, args, { cwd, env: { ...own(), PATH, NODE_DISABLE_COMPILE_CACHE: "1", ...env }, input });
}

/** The environment without the variables that npm, pnpm, vitest and Oarlock set for child processes. */
const own = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|PNPM_|VITEST|OARLOCK_|NODE_ENV$|NODE_OPTIONS$|TEST$)/i.test(name)),
  );

/** Runs npm; throws with all of its output when it fails. */
export async function npm(args: readonly string[], cwd: string, registry: string, cache: string): Promise<string> {
  const env = {
    npm_config_registry: registry,
    npm_config_cache: cache,
    npm_config_userconfig: join(cache, "none"),
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false",
    NO_COLOR: "1",
  };
  const { code, stdout, stderr } = await ran("npm", args, { cwd, env });
  if (code !== 0) throw new Error(`npm ${args.join(" ")} ended with ${code}:\n${stdout}\n${stderr}`);
  return stdout;
}

/** Packs a package as for publishing; returns the path of the tarball. */
export async function packed(folder: string, into: string): Promise<string> {
  const { packageManager } = (await import(join(root, "package.json"), { with: { type: "json" } })).default as { packageManager: string };
  const { code, stdout, stderr } = await ran("npx", ["-y", packageManager, "pack", "--json", "--pack-destination", into], {
    cwd: join(root, folder),
  });
  if (code !== 0) throw new Error(`${folder} cannot be packed:\n${stdout}\n${stderr}`);
  const { filename } = JSON.parse(stdout) as { filename: string };
  return resolve(into, filename);
}
