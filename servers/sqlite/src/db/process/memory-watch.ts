// One limit for the memory of all reading processes together. Each has a limit of the operating system as well, but several may run.
import { DbError } from "../errors.ts";
import type { DatabaseProcess } from "./database-process.ts";
import { memoryReader, type MemoryReader } from "./process-memory.ts";

const MAX_BYTES = 1024 ** 3;

const needsTooMuch = (): DbError =>
  new DbError(
    "too-large",
    "Stopped: the statements that run at the same time need more memory than they may use together, and this one needs most. Ask for less (substr, LIMIT), or try again later.",
  );

/** A process as the watch needs it. */
export type WatchedProcess = Pick<DatabaseProcess, "pid" | "isIdle" | "ended" | "close" | "stop">;

export class MemoryWatch {
  readonly #maxBytes: number;
  readonly #reader: MemoryReader;
  readonly #processes = new Set<WatchedProcess>();
  #checkedAt = -Infinity;
  #isReading = false;

  constructor(maxBytes = MAX_BYTES, reader = memoryReader()) {
    this.#maxBytes = maxBytes;
    this.#reader = reader;
  }

  add(process: WatchedProcess): void {
    this.#processes.add(process);
    void process.ended.then(() => this.#processes.delete(process));
  }

  /** Called often while requests run. Ends idle processes, and then the largest one, where all together need too much. */
  check(now: number): void {
    if (this.#isReading || now - this.#checkedAt < this.#reader.intervalMs) return;
    this.#checkedAt = now;
    const sizes = this.#reader.read([...this.#processes].flatMap(({ pid }) => (pid === undefined ? [] : [pid])));
    if (sizes instanceof Promise) void this.#limitLater(sizes);
    else this.#limit(sizes);
  }

  async #limitLater(sizes: Promise<ReadonlyMap<number, number>>): Promise<void> {
    this.#isReading = true;
    try {
      this.#limit(await sizes);
    } finally {
      this.#isReading = false;
    }
  }

  #limit(bytesOf: ReadonlyMap<number, number>): void {
    const sizes = [...this.#processes]
      .map((process) => ({ process, bytes: bytesOf.get(process.pid ?? 0) ?? 0 }))
      .toSorted((one, other) => other.bytes - one.bytes);
    let excess = sizes.reduce((sum, { bytes }) => sum + bytes, -this.#maxBytes);
    for (const { process, bytes } of sizes) {
      if (excess <= 0) return;
      if (!process.isIdle) continue;
      process.close();
      excess -= bytes;
    }
    const largest = sizes.find(({ process }) => !process.isIdle);
    if (excess > 0) largest?.process.stop(needsTooMuch());
  }
}
