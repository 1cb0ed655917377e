// One request of ours on its way: sent by a POST, answered in its body or on its stream.
import type { Id } from "@oarlock/server-kit/protocol";

/** A stream may say more behind its answer, and a connection can be used again if its stream ends by itself: it has this long. */
const DRAIN_MS = 1000;

export class Exchange {
  readonly id: Id;
  readonly method: string;
  readonly text: string;
  readonly #abort = new AbortController();
  /** Nobody waits for the answer any more. */
  over = false;
  #drain: ReturnType<typeof setTimeout> | undefined;

  constructor(id: Id, method: string, text: string) {
    this.id = id;
    this.method = method;
    this.text = text;
  }

  /** Ends what still runs for it. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  finish(givenUp: boolean): void {
    this.over = true;
    if (givenUp) this.abort();
    else this.#drain ??= setTimeout(() => this.abort(), DRAIN_MS);
  }

  abort(): void {
    clearTimeout(this.#drain);
    this.#abort.abort(new Error("The request is over"));
  }
}
