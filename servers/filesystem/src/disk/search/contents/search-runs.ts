// Runs of ripgrep for one search: they share an engine, a time limit and the caller's signal.
import { systemCode } from "../../errors.ts";
import { engineFor, useWasm } from "./engine-choice.ts";
import type { Ended, Engine, Ground } from "./engine.ts";
import { patternError } from "./options.ts";

export interface Limits {
  readonly timeLimitMs: number;
  readonly signal: AbortSignal | undefined;
  readonly engine: Engine | undefined;
}

/** The second step gets so long at least: without it nothing at all could be shown. */
const LEAST_MS = 3000;

export class Runs {
  /** The time was over before the end. */
  timedOut = false;
  /** Something could not be read. */
  incomplete = false;
  readonly started = performance.now();
  readonly #limits: Limits;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** `args` gets the engine's way to name held files. Throws what ripgrep says about a pattern, or the caller's reason to end. */
  async run(
    ground: Ground,
    args: (nameOf: (index: number) => string) => readonly string[],
    output: (chunk: Buffer) => boolean,
  ): Promise<void> {
    const { signal, timeLimitMs, engine: given } = this.#limits;
    signal?.throwIfAborted();
    const left = timeLimitMs - (performance.now() - this.started);
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), "fds" in ground ? Math.max(left, Math.min(LEAST_MS, timeLimitMs)) : left);
    const both = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
    const run = (engine: Engine): Promise<Ended> => engine.run({ args: args(engine.fileName), ground, signal: both, output });
    try {
      const engine = given ?? engineFor(ground);
      const { code, errors } = await run(engine).catch((error: unknown) => {
        if (given !== undefined || engine.name === "wasm" || !isUnstartable(error)) throw error;
        return run(useWasm());
      });
      signal?.throwIfAborted();
      if (code === 2 && errors.trim() !== "") throw patternError(errors);
      if (over.signal.aborted) this.timedOut = true;
      if (code === 2) this.incomplete = true;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Not: too many processes or open files, which would be over soon. */
const isUnstartable = (error: unknown): boolean => ["ENOENT", "EACCES", "ENOEXEC", "EPERM"].includes(systemCode(error) ?? "");
