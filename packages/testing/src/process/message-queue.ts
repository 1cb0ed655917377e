// A queue of messages that arrive over time; each read has a deadline.

interface Reader<T> {
  resolve(item: T): void;
  reject(error: Error): void;
}

export class MessageQueue<T> {
  readonly #details: () => string;
  readonly #items: T[] = [];
  #readers: Reader<T>[] = [];
  #endReason: string | undefined;

  /** `details` is appended to the error of a read that fails. */
  constructor(details: () => string = () => "") {
    this.#details = details;
  }

  /** Items that have arrived and were not read yet. */
  get unread(): readonly T[] {
    return this.#items;
  }

  push(item: T): void {
    const reader = this.#readers.shift();
    if (reader === undefined) this.#items.push(item);
    else reader.resolve(item);
  }

  /** Rejects pending and later reads; items that have arrived can still be read. */
  end(reason: string): void {
    this.#endReason ??= reason;
    for (const reader of this.#readers.splice(0)) reader.reject(this.#noMessage(reason));
  }

  /** The next item. Throws after `deadlineMs`, or when the queue has ended. */
  next(deadlineMs: number): Promise<T> {
    const item = this.#items.shift();
    if (item !== undefined) return Promise.resolve(item);
    if (this.#endReason !== undefined) return Promise.reject(this.#noMessage(this.#endReason));
    return new Promise((resolve, reject) => {
      const reader: Reader<T> = {
        resolve: (arrived) => (clearTimeout(timer), resolve(arrived)),
        reject: (error) => (clearTimeout(timer), reject(error)),
      };
      const timer = setTimeout(() => {
        this.#readers = this.#readers.filter((other) => other !== reader);
        reject(this.#noMessage(`within ${Math.round(deadlineMs)} ms`));
      }, deadlineMs);
      this.#readers.push(reader);
    });
  }

  #noMessage(reason: string): Error {
    return new Error(`No message received: ${reason}${this.#details()}`);
  }
}
