// One limit for the memory of all reading processes together. Each has a limit of the operating system as well, but several may run.
import { readFileSync } from "node:fs";
import { DbError } from "../errors.ts";
import type { DatabaseProcess } from "./database-process.ts";

const MAX_BYTES = 1024 ** 3;
/** A process can fill some hundred megabytes in this time. */
const INTERVAL_MS = 20;

const needsTooMuch = (): DbError =>
  new DbError(
    "too-large",
    "Stopped: the statements that run at the same time need more memory than they may use together, and this one needs most. Ask for less (substr, LIMIT), or try again later.",
  );

export class MemoryWatch {
  readonly #maxBytes: number;
  readonly #processes = new Set<DatabaseProcess>();
  #checkedAt = -Infinity;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  add(process: DatabaseProcess): void {
    this.#processes.add(process);
    void process.ended.then(() => this.#processes.delete(process));
  }

  /** Called often while requests run. Ends idle processes, and then the largest one, where all together need too much. */
  check(now: number): void {
    if (now - this.#checkedAt < INTERVAL_MS) return;
    this.#checkedAt = now;
    const sizes = [...this.#processes]
      .map((process) => ({ process, bytes: memoryOf(process.pid) }))
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

/** Memory that the process does not share with others; 0 where the system does not tell (other than Linux). */
function memoryOf(pid: number | undefined): number {
  try {
    const [, kilobytes] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
