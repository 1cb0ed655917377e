// TaskWatch: calls back after changes of one task by any node.
import type { Backplane } from "../backplane/backplane.ts";
import { retry } from "../node/retry.ts";

/** How often the watchers of a task on another node look whether that node is still running. */
const CHECK_MS = 5000;

export class TaskWatch {
  readonly #backplane: Backplane;
  readonly #topic: string;
  readonly #listeners = new Set<() => void>();
  readonly #timer: ReturnType<typeof setInterval>;
  #unsubscribe: (() => void) | undefined;
  #isClosed = false;

  /** `isOwn`: whether the task runs on this node. */
  constructor(backplane: Backplane, topic: string, isOwn: () => boolean) {
    this.#backplane = backplane;
    this.#topic = topic;
    // The end of a node is not published.
    this.#timer = setInterval(() => isOwn() || this.changed(), CHECK_MS);
    (this.#timer as { unref?(): void }).unref?.(); // Node: a task does not keep the process alive
    void this.#subscribe();
  }

  /** Adds a listener; returns a function that removes it. `onEmpty` is called when it was the last one. */
  add(listener: () => void, onEmpty: () => void): () => void {
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => {
      if (!this.#listeners.delete(own) || this.#listeners.size > 0) return;
      this.close();
      onEmpty();
    };
  }

  readonly changed = (): void => {
    for (const listener of this.#listeners) listener();
  };

  async #subscribe(): Promise<void> {
    const subscribe = (): Promise<() => void> => this.#backplane.subscribe(this.#topic, this.changed, this.changed);
    const unsubscribe = await retry(subscribe, () => this.#isClosed, { ms: Infinity });
    if (this.#isClosed) return unsubscribe?.();
    this.#unsubscribe = unsubscribe;
    this.changed(); // there may have been a change before
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#unsubscribe?.();
  }
}
