/**
 * Keeps processes of ours out of the fast tests: starting Node throws and fails the test. The tests below a folder `smoke/` may, as may the SQLite
 * server, which works in database processes. git, ripgrep and other programs are not concerned.
 */
import childProcess, { ChildProcess } from "node:child_process";
import { realpathSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { afterEach, expect } from "vitest";

const SMOKE = /[\\/]smoke[\\/]/;
const DATABASE_PROCESS = /[\\/]servers[\\/]sqlite[\\/](?:src|dist)[\\/]child\.[jt]s$/;
const NODE: readonly string[] = [process.execPath, realpathSync(process.execPath), "node"];

/** The guard of this worker, which all its files share. */
const worker = globalThis as { refusedStart?: Error | undefined; isGuarded?: boolean };

function refuseNode(words: readonly unknown[]): void {
  const isNode = words.some((word) => typeof word === "string" && NODE.includes(word));
  const isDatabase = words.some((word) => typeof word === "string" && DATABASE_PROCESS.test(word));
  if (!isNode || isDatabase || SMOKE.test(expect.getState().testPath ?? "")) return;
  worker.refusedStart = new Error(
    "A fast test may not start a process: a start costs as much as a hundred tests. Serve in memory, or name the file *.deep.test.ts.",
  );
  throw worker.refusedStart;
}

/** What `spawn` and `fork` call in the end. */
interface Spawning {
  spawn(options: { readonly file: string; readonly args?: readonly string[] }): number | undefined;
}

/** `spawnSync` and `execFileSync`, which do not call it. */
type StartSync = (file: string, args?: readonly string[] | object, ...rest: unknown[]) => unknown;

function guard(): void {
  const prototype = ChildProcess.prototype as unknown as Spawning; // Node's own method
  const { spawn } = prototype;
  prototype.spawn = function guardedSpawn(options) {
    refuseNode([options.file, ...(options.args ?? [])]);
    return spawn.call(this, options);
  };
  const functions = childProcess as unknown as Record<"spawnSync" | "execFileSync", StartSync>;
  for (const name of ["spawnSync", "execFileSync"] as const) {
    const start = functions[name];
    functions[name] = (file, args, ...rest) => {
      refuseNode([file, ...(Array.isArray(args) ? (args as unknown[]) : [])]);
      return start(file, args, ...rest);
    };
  }
  syncBuiltinESMExports();
}

if (worker.isGuarded !== true) guard();
worker.isGuarded = true;

// Code under test may take the refusal for a process that failed to start.
afterEach(() => {
  const refused = worker.refusedStart;
  worker.refusedStart = undefined;
  if (refused !== undefined) throw refused;
});
