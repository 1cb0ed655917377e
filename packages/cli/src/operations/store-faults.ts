// What calls have found wrong with the files of databases: kept for health and metrics, and logged once for each file and fault.
import { quoted } from "../start/start-error.ts";
import type { LogSink } from "../stderr-log.ts";
import type { Gauge } from "./metrics.ts";

/** The file can be read no more, has lost its name or content, or cannot be opened or written. */
export type StoreFault = "damaged" | "moved" | "unusable";

export const FAULT_TEXTS: Readonly<Record<StoreFault, string>> = {
  damaged: "is damaged. Stop the server and restore a backup.",
  moved:
    "was moved, deleted or replaced while the server runs. Put the file back, or restore a backup and restart the server. If it was deleted on purpose, only restart it.",
  unusable: "cannot be opened or written. Check that it is a file that this server may write.",
};

export class StoreFaults {
  readonly #log: LogSink;
  readonly #current = new Map<string, StoreFault>();
  readonly #counts = new Map<StoreFault, number>();
  readonly #reported = new Set<string>();

  constructor(log: LogSink) {
    this.#log = log;
  }

  /** `isLogged`: the log has a line of it already. */
  report(file: string, fault: StoreFault | undefined, isLogged = false): void {
    const before = this.#current.get(file);
    // A call that happens to read intact pages does not end damage.
    if (before === fault || before === "damaged") return;
    if (fault === undefined) return void this.#current.delete(file);
    this.#current.set(file, fault);
    this.#counts.set(fault, (this.#counts.get(fault) ?? 0) + 1);
    const key = `${fault} ${file}`;
    if (!isLogged && !this.#reported.has(key))
      this.#log("error", `Database ${quoted(file)} ${FAULT_TEXTS[fault]} Calls that need it fail.`);
    this.#reported.add(key);
  }

  of(file: string): StoreFault | undefined {
    return this.#current.get(file);
  }

  get files(): Iterable<string> {
    return this.#current.keys();
  }

  get gauges(): Gauge[] {
    return [...this.#counts].map(([fault, value]) => ({
      name: "oarlock_store_faults_total",
      type: "counter",
      labels: `{kind="${fault}"}`,
      help: "Times that calls began to find the file of a database damaged, moved or unusable.",
      value,
    }));
  }
}
