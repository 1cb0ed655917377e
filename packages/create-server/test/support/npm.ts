// npm and pnpm in a folder, as a new user runs it, on the Node of this test run and with the registry of the test.
import { readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { runProgram, type ProgramResult } from "@oarlock-tooling/test-support/run-program";
import { root } from "./repository.ts";

const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { packageManager: string }; // our own

interface RunOptions {
  cwd: string;
  env?: Record<string, string>;
  /** Text for stdin, which is never a terminal. Default: empty. */
  input?: string;
}

/** Runs a program until it exits, with any exit code. */
export function ran(program: string, args: readonly string[], { cwd, env = {}, input = "" }: RunOptions): Promise<ProgramResult> {
  const PATH = [dirname(process.execPath), process.env["PATH"]].join(delimiter);
  return runProgram(program, args, { cwd, env: { ...own(), PATH, ...env }, input });
}

/** The environment without the variables that npm, pnpm, vitest and Oarlock set for child processes. */
const own = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_|PNPM_|VITEST|OARLOCK_|NODE_ENV$|NODE_OPTIONS$|NODE_COMPILE_CACHE$|TEST$)/i.test(name),
    ),
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

/** Installs with pnpm, in the version of this repository; throws with all of its output when it fails. */
export async function pnpmInstall(cwd: string, registry: string, cache: string): Promise<void> {
  const words = ["-y", packageManager, "install", `--registry=${registry}`, `--store-dir=${cache}`, `--config.cache-dir=${cache}`];
  const { code, stdout, stderr } = await ran("npx", words, { cwd, env: { NO_COLOR: "1", CI: "1" } });
  if (code !== 0) throw new Error(`pnpm install ended with ${code}:\n${stdout}\n${stderr}`);
}
