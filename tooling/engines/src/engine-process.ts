// EngineProcess: starts, suspends and ends the process of an engine together with its child processes.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { attempt, childrenOf, runs } from "@oarlock-tooling/test-support/process-tree";
import type { Engine } from "./engine.ts";

export interface EngineCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** User and group of the process. Default: those of the tests. */
  readonly user?: number | undefined;
  readonly stopSignal: NodeJS.Signals;
  /** Resolves once the engine answers; rejects while it does not. */
  readonly probe: () => Promise<void>;
}

const START_MS = 30_000;
const PROBE_INTERVAL_MS = 10;

/** Running engines, which must not outlive this process. */
const running = new Set<EngineProcess>();

function endAll(): void {
  for (const engine of running) engine.end();
}

process.once("exit", endAll);
// A signal ends the process without `exit`. Vitest ends its workers by SIGTERM, a terminal by SIGINT or SIGHUP.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
  process.once(signal, () => {
    if (process.listenerCount(signal) > 0) return; // others decide when the process exits
    endAll();
    process.kill(process.pid, signal);
  });

export class EngineProcess implements Engine {
  readonly url: string;
  readonly #command: EngineCommand;
  readonly #folder: string;
  #child: ChildProcess | undefined;

  private constructor(url: string, folder: string, command: EngineCommand) {
    this.url = url;
    this.#folder = folder;
    this.#command = command;
  }

  /** Starts an engine and waits until it answers. `folder` holds its data and its output, and is removed at the end. */
  static async start(url: string, folder: string, command: EngineCommand): Promise<EngineProcess> {
    const engine = new EngineProcess(url, folder, command);
    running.add(engine);
    try {
      await engine.#start();
    } catch (error) {
      engine.end();
      throw error;
    }
    return engine;
  }

  async pause(): Promise<void> {
    // The parent first: a suspended parent starts no more children.
    this.#signal("SIGSTOP", "parent first");
  }

  async resume(): Promise<void> {
    this.#signal("SIGCONT", "children first");
  }

  async kill(): Promise<void> {
    const pid = this.#child?.pid;
    const children = pid === undefined ? [] : childrenOf(pid);
    const exited = this.#exited();
    this.#signal("SIGKILL", "parent first");
    await exited;
    // The next start fails while a child still has the shared memory.
    while (children.some(runs)) await delay(PROBE_INTERVAL_MS);
  }

  async restart(): Promise<void> {
    await this.#shutDown();
    await this.#start();
  }

  async stop(): Promise<void> {
    await this.#shutDown();
    this.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /** Ends what still runs and removes the data, without waiting. */
  end(): void {
    this.#signal("SIGKILL", "parent first");
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
    running.delete(this);
  }

  async #start(): Promise<void> {
    const { command, args, user, probe } = this.#command;
    const output = join(this.#folder, "output.log");
    const log = openSync(output, "a");
    const identity = user === undefined ? {} : { uid: user, gid: user };
    const child = spawn(command, args, { cwd: this.#folder, stdio: ["ignore", log, log], ...identity });
    closeSync(log);
    this.#child = child;
    let failure: Error | undefined;
    child.once("error", (error) => (failure = error));
    const deadline = performance.now() + START_MS;
    for (;;) {
      if (failure !== undefined) throw failure;
      if (hasExited(child)) throw new Error(`${command} exited:\n${readFileSync(output, "utf8").slice(-2000)}`);
      if (await isAnswered(probe)) return;
      if (performance.now() > deadline) throw new Error(`${command} does not answer:\n${readFileSync(output, "utf8").slice(-2000)}`);
      await delay(PROBE_INTERVAL_MS);
    }
  }

  async #shutDown(): Promise<void> {
    const child = this.#child;
    if (child === undefined || hasExited(child)) return;
    const exited = this.#exited();
    this.#signal("SIGCONT", "children first");
    child.kill(this.#command.stopSignal);
    await exited;
  }

  async #exited(): Promise<void> {
    if (this.#child !== undefined && !hasExited(this.#child)) await once(this.#child, "exit");
  }

  #signal(signal: NodeJS.Signals, order: "parent first" | "children first"): void {
    const child = this.#child;
    if (child?.pid === undefined || hasExited(child)) return;
    if (order === "children first") {
      signalAll(childrenOf(child.pid), signal);
      child.kill(signal);
      return;
    }
    // Children of a killed parent can no longer be found.
    const children = signal === "SIGKILL" ? childrenOf(child.pid) : [];
    child.kill(signal);
    signalAll(signal === "SIGKILL" ? children : childrenOf(child.pid), signal);
  }
}

const hasExited = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

async function isAnswered(probe: () => Promise<void>): Promise<boolean> {
  try {
    await probe();
    return true;
  } catch {
    return false;
  }
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) attempt(() => process.kill(pid, signal), false); // one that has exited gets none
}
