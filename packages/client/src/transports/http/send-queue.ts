// Keeps messages in order over HTTP, where separate POST requests can overtake each other: notifications are sent one after the
// other, and a request waits for the notifications before it.

export class SendQueue {
  #last: Promise<void> = Promise.resolve();

  /** Runs `send` after all queued ones. `send` must not reject. */
  enqueue(send: () => Promise<void>): void {
    this.#last = this.#last.then(send);
  }

  /** Resolves when the queue is empty. */
  async whenEmpty(): Promise<void> {
    for (let last: unknown; last !== this.#last;) await (last = this.#last);
  }

  /** Resolves when the queue is empty, or at the deadline. */
  async emptyBy(deadline: AbortSignal): Promise<void> {
    const passed = new Promise<void>((resolve) => deadline.addEventListener("abort", () => resolve()));
    await Promise.race([this.whenEmpty(), passed]);
  }
}
