// A request of the client sent as a POST, whose response arrives in the body or on a stream.
import type { Id } from "@oarlock/server-kit/protocol";

/** A stream may continue after the response, and a connection is reusable only if its stream ends by itself: the time to wait for that. */
const DRAIN_MS = 1000;

export class HttpExchange {
  readonly id: Id;
  readonly method: string;
  readonly text: string;
  readonly #abort = new AbortController();
  #isSettled = false;
  #drainTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(id: Id, method: string, text: string) {
    this.id = id;
    this.method = method;
    this.text = text;
  }

  /** Aborted to stop everything that belongs to the request. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Whether the request has its response, or was abandoned. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  settle(isAbandoned: boolean): void {
    this.#isSettled = true;
    if (isAbandoned) this.abort();
    else this.#drainTimer ??= setTimeout(() => this.abort(), DRAIN_MS);
  }

  abort(): void {
    clearTimeout(this.#drainTimer);
    this.#abort.abort(new Error("The request is settled"));
  }
}
