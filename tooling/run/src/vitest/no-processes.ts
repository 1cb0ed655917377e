/**
 * Keeps processes of ours out of the fast tests: starting one throws. The tests below a folder `smoke/` may, as may the SQLite server, which
 * works in database processes, and whatever starts git or ripgrep.
 */
import { ChildProcess } from "node:child_process";
import { realpathSync } from "node:fs";
import { expect } from "vitest";

const SMOKE = /[\\/]smoke[\\/]/;
const DATABASE_PROCESS = /[\\/]servers[\\/]sqlite[\\/](?:src|dist)[\\/]child\.[jt]s$/;

interface SpawnOptions {
  readonly file: string;
  readonly args?: readonly string[];
}

interface Spawning {
  spawn(options: SpawnOptions): number | undefined;
  /** Other files of the worker have wrapped it already. */
  isGuarded?: boolean;
}

const node = realpathSync(process.execPath);
const prototype = ChildProcess.prototype as unknown as Spawning; // Node's own method, which `spawn` and `fork` call

const isNode = (file: string): boolean => file === process.execPath || file === node;

if (prototype.isGuarded !== true) {
  prototype.isGuarded = true;
  const { spawn } = prototype;
  prototype.spawn = function guardedSpawn(options) {
    const { file, args = [] } = options;
    const isOurs = [file, ...args].some(isNode) && !args.some((arg) => DATABASE_PROCESS.test(arg));
    if (isOurs && !SMOKE.test(expect.getState().testPath ?? ""))
      throw new Error(
        "A fast test may not start a process: a start costs as much as a hundred tests. Serve in memory, or name the file *.deep.test.ts.",
      );
    return spawn.call(this, options);
  };
}
