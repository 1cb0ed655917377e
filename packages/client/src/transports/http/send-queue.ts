// Separate POSTs may overtake each other; on stdio nothing does. So notifications leave one after the other, and a request
// waits for those that were said before it.

export class Order {
  #last: Promise<void> = Promise.resolve();

  /** Runs this after all that stands in line already; the next in line waits for it. It must not reject. */
  line(act: () => Promise<void>): void {
    this.#last = this.#last.then(act);
  }

  /** Resolves when nothing stands in line. */
  async idle(): Promise<void> {
    for (let last: unknown; last !== this.#last;) await (last = this.#last);
  }
}
