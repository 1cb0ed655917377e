// EngineProcess: starts, suspends and ends the process of an engine together with its child processes.
import { rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { attempt, childrenOf, killTree, runs } from "@oarlock-tooling/test-support/process-tree";
import { ServerProcess, type Program } from "@oarlock-tooling/test-support/server-process";
import type { Engine } from "./engine.ts";

export interface EngineProgram extends Program {
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
  readonly #program: EngineProgram;
  readonly #folder: string;
  #server: ServerProcess | undefined;

  private constructor(url: string, folder: string, program: EngineProgram) {
    this.url = url;
    this.#folder = folder;
    this.#program = program;
  }

  /** Starts an engine and waits until it answers. `folder` holds its data, and is removed at the end. */
  static async start(url: string, folder: string, program: EngineProgram): Promise<EngineProcess> {
    const engine = new EngineProcess(url, folder, program);
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
    this.#server?.signal("SIGSTOP");
    this.#signalChildren("SIGSTOP");
  }

  async resume(): Promise<void> {
    this.#signalChildren("SIGCONT");
    this.#server?.signal("SIGCONT");
  }

  async kill(): Promise<void> {
    const children = this.#children;
    await this.#server?.[Symbol.asyncDispose]();
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
    if (this.#server?.isRunning === true) killTree(this.#server);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
    running.delete(this);
  }

  async #start(): Promise<void> {
    const { command, probe } = this.#program;
    const server = new ServerProcess({ ...this.#program, cwd: this.#folder });
    this.#server = server;
    for (const deadline = performance.now() + START_MS; ; await delay(PROBE_INTERVAL_MS)) {
      if (!server.isRunning) throw new Error(`${command} exited:\n${(await server.exited).stderr}`);
      if (await isAnswered(probe)) return;
      if (performance.now() > deadline) throw new Error(`${command} does not answer:\n${server.stderr}`);
    }
  }

  async #shutDown(): Promise<void> {
    if (this.#server?.isRunning !== true) return;
    await this.resume();
    this.#server.signal(this.#program.stopSignal);
    await this.#server.exited;
  }

  get #children(): number[] {
    return this.#server?.isRunning === true ? childrenOf(this.#server.pid) : [];
  }

  #signalChildren(signal: NodeJS.Signals): void {
    for (const pid of this.#children) attempt(() => process.kill(pid, signal), false); // one that has exited gets none
  }
}

async function isAnswered(probe: () => Promise<void>): Promise<boolean> {
  try {
    await probe();
    return true;
  } catch {
    return false;
  }
}
