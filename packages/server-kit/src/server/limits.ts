// The bounds of one server, and the token bucket that rates are held with.

/** The bounds of one server. What is beyond them is refused in words, and the next request is served. */
export interface Limits {
  /** Longest message, in bytes. Default 4 MiB. */
  messageBytes: number;
  /** Deepest nesting of a message. Default 128. */
  depth: number;
  /** Most values in one message. Default 500,000. */
  members: number;
  /** Most messages in one array (2025-03-26). Default 100. */
  batch: number;
  /** Requests of one client that run at the same time; more wait. Default 64. */
  concurrency: number;
  /** Requests of one client that may wait; more are refused with code 429. Default 4,096. */
  queue: number;
  /** Tool calls a second of one client; a second's worth may come at once. More are refused with code 429. Default 5,000. */
  callsPerSecond: number;
  /** Largest answer, in bytes. Default 2.5 MB. */
  resultBytes: number;
  /** Longest run of one request in milliseconds, waiting for the person not counted. Default 120,000. */
  timeoutMs: number;
  /** Longest wait for the answer of a person or a model, in milliseconds. Default 600,000. */
  clientRequestMs: number;
  /** Questions that one request may ask. Default 100. */
  clientRequests: number;
  /** Subscriptions of one client. Default 1,000. */
  subscriptions: number;
  /** Subscription streams of one client at the same time (newest era). Default 64. */
  subscriptionStreams: number;
  /** Log entries a second to one client; more are dropped. Default 200. */
  logsPerSecond: number;
}

/** The bounds that hold where nothing else is said. */
export const DEFAULT_LIMITS: Readonly<Limits> = {
  messageBytes: 4 * 1024 * 1024,
  depth: 128,
  members: 500_000,
  batch: 100,
  concurrency: 64,
  queue: 4096,
  callsPerSecond: 5000,
  resultBytes: 2_500_000,
  timeoutMs: 120_000,
  clientRequestMs: 600_000,
  clientRequests: 100,
  subscriptions: 1000,
  subscriptionStreams: 64,
  logsPerSecond: 200,
};

/** Lets `rate` things through a second, and as many at once after a quiet second. */
export class TokenBucket {
  readonly #rate: number;
  #left: number;
  #at = 0;

  constructor(rate: number) {
    this.#rate = rate;
    this.#left = Math.max(1, rate);
  }

  take(): boolean {
    // The wall clock, as the other one takes half a millisecond to load; one that is set back gives nothing.
    const now = Date.now();
    this.#left = Math.min(Math.max(1, this.#rate), this.#left + (Math.max(0, now - this.#at) / 1000) * this.#rate);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}
