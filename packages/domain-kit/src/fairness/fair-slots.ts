// Slots for work that takes a core, such as a process.
import { availableParallelism } from "node:os";
import { actingPerson } from "./acting-person.ts";
import { FairQueue, type PersonalWork } from "./fair-queue.ts";

interface Slot extends PersonalWork {
  readonly start: () => void;
}

export interface FairSlotOptions {
  /** How many pieces of work run at the same time. Default 32. */
  readonly all?: number;
  /** Of one person, where a login tells people apart. Default: as many as the machine has cores, 2 to 8, since more are not faster together. */
  readonly ofOne?: number;
}

/** Runs so much work at the same time, of each person a part of it. */
export class FairSlots {
  readonly #all: number;
  readonly #queue: FairQueue<Slot>;

  constructor({ all = 32, ofOne = Math.min(Math.max(availableParallelism(), 2), 8) }: FairSlotOptions = {}) {
    this.#all = all;
    this.#queue = new FairQueue(ofOne);
  }

  /** Runs `work` once there is a slot for the person for whom the caller works. Rejects with the abort reason when `signal` aborts before. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const slot: Slot = { person: actingPerson(), start: resolve };
    const abort = (): void => reject(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    this.#queue.add(slot);
    try {
      this.#startNext();
      await promise;
      signal?.throwIfAborted();
      return await work();
    } finally {
      signal?.removeEventListener("abort", abort);
      this.#queue.remove(slot);
      this.#startNext();
    }
  }

  #startNext(): void {
    while (this.#queue.runningCount < this.#all) {
      const next = this.#queue.next();
      if (next === undefined) return;
      this.#queue.start(next);
      next.start();
    }
  }
}
