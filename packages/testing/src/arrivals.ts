// Things that arrive one by one and are taken one by one, with a deadline for each taking.

export class Arrivals<T> {
  readonly #more: () => string;
  readonly #queue: T[] = [];
  #takers: { take(item: T): void; fail(error: Error): void }[] = [];
  #ended: string | undefined;

  /** `more` is added to the message when nothing comes. */
  constructor(more: () => string = () => "") {
    this.#more = more;
  }

  get waiting(): readonly T[] {
    return this.#queue;
  }

  push(item: T): void {
    const taker = this.#takers.shift();
    if (taker === undefined) this.#queue.push(item);
    else taker.take(item);
  }

  /** Nothing more will come. */
  end(why: string): void {
    this.#ended ??= why;
    for (const taker of this.#takers.splice(0)) taker.fail(this.#nothing(why));
  }

  /** The next one; throws after the deadline, or when nothing more will come. */
  next(deadlineMs: number): Promise<T> {
    const item = this.#queue.shift();
    if (item !== undefined) return Promise.resolve(item);
    if (this.#ended !== undefined) return Promise.reject(this.#nothing(this.#ended));
    return new Promise((resolve, reject) => {
      const taker = {
        take: (came: T) => (clearTimeout(timer), resolve(came)),
        fail: (error: Error) => (clearTimeout(timer), reject(error)),
      };
      const timer = setTimeout(() => {
        this.#takers = this.#takers.filter((other) => other !== taker);
        reject(this.#nothing(`within ${Math.round(deadlineMs)} ms`));
      }, deadlineMs);
      this.#takers.push(taker);
    });
  }

  #nothing(why: string): Error {
    return new Error(`nothing came: ${why}${this.#more()}`);
  }
}
