// The engine for one search: all of its runs share a time limit and the caller's signal, and fall back where ripgrep cannot start.
import { tracedWork } from "@oarlock/domain-kit";
import { isUnstartable } from "../ripgrep/ripgrep-process.ts";
import { chooseEngine, usePlainEngine } from "./engine-choice.ts";
import type { DirectorySearch, FilesSearch, SearchEnd, SearchEngine } from "./engine.ts";

export interface Limits {
  readonly timeLimitMs: number;
  readonly signal: AbortSignal | undefined;
  /** Default: the engine of this process. */
  readonly engine: SearchEngine | undefined;
}

/** All searches in the files of a page get at least so long: without it nothing could be shown. */
const MIN_FILES_MS = 3000;

export class TimedEngine {
  /** The time limit ended a run. */
  timedOut = false;
  /** Something could not be read. */
  incomplete = false;
  readonly startedAt = performance.now();
  readonly #limits: Limits;
  #filesUntil: number | undefined;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  async searchDirectory(search: Omit<DirectorySearch, "signal">): Promise<void> {
    await this.#trace("search directory", this.#msLeft, (engine, signal) => engine.searchDirectory({ ...search, signal }));
  }

  async searchFiles(search: Omit<FilesSearch, "signal">): Promise<void> {
    const now = performance.now();
    this.#filesUntil ??= now + Math.max(this.#msLeft, Math.min(MIN_FILES_MS, this.#limits.timeLimitMs));
    const ms = Math.max(this.#filesUntil - now, 0);
    await this.#trace("search files", ms, (engine, signal) => engine.searchFiles({ ...search, signal }));
  }

  get #msLeft(): number {
    return this.#limits.timeLimitMs - (performance.now() - this.startedAt);
  }

  async #trace(name: string, ms: number, search: (engine: SearchEngine, signal: AbortSignal) => Promise<SearchEnd>): Promise<void> {
    await tracedWork({ name, isRemote: false, attributes: {} }, () => this.#run(ms, search));
  }

  async #run(ms: number, search: (engine: SearchEngine, signal: AbortSignal) => Promise<SearchEnd>): Promise<void> {
    const { signal, engine } = this.#limits;
    signal?.throwIfAborted();
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), ms);
    const either = signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal]);
    try {
      const { incomplete } = await search(engine ?? chooseEngine(), either).catch((error: unknown) => {
        if (engine !== undefined || !isUnstartable(error)) throw error;
        return search(usePlainEngine(), either);
      });
      signal?.throwIfAborted();
      if (deadline.signal.aborted) this.timedOut = true;
      if (incomplete) this.incomplete = true;
    } finally {
      clearTimeout(timer);
    }
  }
}
