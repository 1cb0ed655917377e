/**
 * Stryker plugin: vitest that keeps one worker process for many mutants. A new process for each mutant takes a second of processor time,
 * a run in a process that has loaded the sources some tens of milliseconds.
 */
import { strykerPlugins as vitestPlugins, strykerValidationSchema } from "@stryker-mutator/vitest-runner";
import { ForksPoolWorker, type PoolOptions, type PoolWorker, type Vitest, type WorkerRequest } from "vitest/node";
import { FRESH_VARIABLE } from "./options.ts";

/** After so many mutants the process is replaced, as a mutant may leave timers and listeners behind. */
const MUTANTS_PER_PROCESS = process.env[FRESH_VARIABLE] === undefined ? 40 : 1;

const POOL = "reused";

/** What this file uses of Stryker's vitest runner. */
interface VitestRunner {
  readonly ctx: Vitest;
  init(): Promise<void>;
  dispose(): Promise<void>;
  mutantRun(options: object): Promise<{ readonly status: string }>;
}

type Listener = (...args: unknown[]) => void;

/** A worker that answers `stop` itself and keeps its process for the next run. */
class ReusedWorker implements PoolWorker {
  readonly name = POOL;
  readonly cacheFs = true;
  readonly #options: PoolOptions;
  #process: ForksPoolWorker | undefined;
  #listeners: [event: string, listener: Listener][] = [];

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    if (this.#process !== undefined) return;
    const started = new ForksPoolWorker(this.#options);
    await started.start();
    this.#process = started;
  }

  on(event: string, listener: Listener): void {
    this.#listeners.push([event, listener]);
    this.#process?.on(event, listener);
  }

  off(event: string, listener: Listener): void {
    this.#listeners = this.#listeners.filter((entry) => entry[0] !== event || entry[1] !== listener);
    this.#process?.off(event, listener);
  }

  send(request: WorkerRequest): void {
    if (request.type !== "stop") return this.#process?.send(request);
    const stopped = { type: "stopped", __vitest_worker_response__: true };
    for (const [event, listener] of [...this.#listeners]) if (event === "message") listener(stopped);
  }

  deserialize(data: unknown): unknown {
    return data;
  }

  async stop(): Promise<void> {
    for (const [event, listener] of this.#listeners) this.#process?.off(event, listener);
    this.#listeners = [];
  }

  async end(): Promise<void> {
    const ending = this.#process;
    this.#process = undefined;
    await ending?.stop();
  }
}

/** Makes the runner use one worker, and replaces its process now and then. */
function reuseWorker(runner: VitestRunner): VitestRunner {
  let worker: ReusedWorker | undefined;
  let mutants = 0;
  const replace = async (): Promise<void> => {
    mutants = 0;
    await worker?.end();
  };
  const { init, dispose, mutantRun } = runner;
  runner.init = async () => {
    await init.call(runner);
    for (const { config } of runner.ctx.projects) {
      Object.assign(config, {
        pool: POOL,
        isolate: false,
        poolRunner: { name: POOL, createPoolWorker: (options: PoolOptions) => (worker ??= new ReusedWorker(options)) },
        setupFiles: [...config.setupFiles, new URL("fresh-modules.ts", import.meta.url).pathname],
      });
    }
  };
  runner.mutantRun = async (options) => {
    if (mutants++ >= MUTANTS_PER_PROCESS) await replace();
    const result = await mutantRun.call(runner, options);
    if (result.status === "timeout" || result.status === "error") await replace();
    return result;
  };
  runner.dispose = async () => {
    await replace();
    await dispose.call(runner);
  };
  return runner;
}

interface Plugin {
  readonly factory: ((injector: unknown) => VitestRunner) & { readonly inject: readonly unknown[] };
}

export const strykerPlugins = (vitestPlugins as unknown as Plugin[]).map(({ factory, ...plugin }) => ({
  ...plugin,
  factory: Object.assign((injector: unknown) => reuseWorker(factory(injector)), { inject: factory.inject }),
}));
export { strykerValidationSchema };
