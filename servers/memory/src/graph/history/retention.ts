// Retention: removes history that is older than the operator wants to keep.
import { counted } from "@oarlock/domain-kit";
import type { Graph } from "../graph.ts";
import type { DeletedCounts } from "../write/deletion.ts";

const FIRST_PASS_MS = 1000;
const INTERVAL_MS = 3_600_000;

export interface RetentionOptions {
  /** What ended longer ago than this is removed. */
  readonly keepMs: number;
  /** Tells the operator what was removed. */
  readonly report: (message: string) => void;
  readonly warn: (message: string) => void;
}

/** Removes old history soon after the memory has been opened, and then every hour. */
export class Retention {
  readonly #graph: Graph;
  readonly #options: RetentionOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pass: Promise<void> | undefined;
  #isStopped = false;

  constructor(graph: Graph, options: RetentionOptions) {
    this.#graph = graph;
    this.#options = options;
    graph.onOpen(() => this.#schedule(FIRST_PASS_MS));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#pass;
  }

  #schedule(delay: number): void {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#pass = this.#run();
    }, delay);
    this.#timer.unref();
  }

  async #run(): Promise<void> {
    const { keepMs, report, warn } = this.#options;
    try {
      const removed = await this.#graph.pruneHistory(Date.now() - keepMs, () => this.#isStopped);
      if (removedSomething(removed)) report(prunedReport(removed));
    } catch (error) {
      warn(`Old history was not removed: ${error instanceof Error ? error.message : String(error)}`);
    }
    this.#schedule(INTERVAL_MS);
  }
}

export const removedSomething = ({ entities, observations, relations }: DeletedCounts): boolean => entities + observations + relations > 0;

export const prunedReport = ({ entities, observations, relations }: DeletedCounts): string =>
  `Old history removed: ${counted(entities, "deleted entity", "deleted entities")}, ${counted(observations, "past observation")}, ${counted(relations, "past relation")}.`;
