// A token bucket: holds a rate.

/** Lets `rate` events through a second, and as many at once after a quiet second. */
export class TokenBucket {
  readonly #rate: number;
  #tokens: number;
  #refilledAt = 0;

  constructor(rate: number) {
    this.#rate = rate;
    this.#tokens = Math.max(1, rate);
  }

  /** Takes a token; false when none is left. */
  take(): boolean {
    // Date.now, as `performance` takes half a millisecond to load; a clock that is set back adds nothing.
    const now = Date.now();
    this.#tokens = Math.min(Math.max(1, this.#rate), this.#tokens + (Math.max(0, now - this.#refilledAt) / 1000) * this.#rate);
    this.#refilledAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}
