// How an embedder has answered lately: when to try again, and what to tell the operator. A search must not wait for one that is away.
import { EmbeddingsError, type Embedder } from "./embedder.ts";

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** A person has to change something first. */
const REFUSED_DELAY_MS = 60_000;
/** A timeout costs each search its time limit, so searches try again less often than the catch-up. */
const MIN_QUERY_DELAY_MS = 5000;

export class EndpointHealth {
  readonly #embedder: Embedder;
  readonly #warn: (message: string) => void;
  #failures = 0;
  #warned: string | undefined;
  /** Times as of performance.now(). */
  #nextTry = 0;
  #nextQuery = 0;

  constructor(embedder: Embedder, warn: (message: string) => void) {
    this.#embedder = embedder;
    this.#warn = warn;
  }

  /** How long the catch-up waits, in milliseconds. */
  get delay(): number {
    return Math.max(0, this.#nextTry - performance.now());
  }

  get mayQuery(): boolean {
    return performance.now() >= this.#nextQuery;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#nextTry = 0;
    this.#nextQuery = 0;
    this.#warned = undefined;
  }

  /** Warns once for each kind of failure in a row. */
  failed(error: unknown): void {
    const { kind, message, retryAfterMs } =
      error instanceof EmbeddingsError
        ? error
        : new EmbeddingsError("away", `fails (${error instanceof Error ? error.message : String(error)})`);
    const growing = Math.min(FIRST_DELAY_MS * 2 ** this.#failures, MAX_DELAY_MS);
    const delay = retryAfterMs ?? (kind === "refused" ? REFUSED_DELAY_MS : growing);
    this.#failures++;
    const now = performance.now();
    this.#nextTry = now + delay * (1 + Math.random() / 4);
    this.#nextQuery = now + Math.max(delay, MIN_QUERY_DELAY_MS);
    if (this.#warned === kind) return;
    this.#warned = kind;
    this.#warn(
      `${this.#embedder.displayName} ${message}. Searches use words only until it works; texts that are stored meanwhile are embedded later.`,
    );
  }
}
