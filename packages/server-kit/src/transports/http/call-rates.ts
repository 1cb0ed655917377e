// CallRates: how often each caller may call tools.
import type { RateLimiter } from "./endpoints.ts";

/** Callers whose calls are counted; beyond that many, counting starts afresh. */
const MAX_CALLERS = 10_000;

/** The rate of one caller: takes one call; false when it is reached. */
interface CallRate {
  take(): boolean | Promise<boolean>;
}

/** A rate of tool calls for each caller. */
export class CallRates implements RateLimiter {
  readonly #makeRate: (caller: string | undefined) => CallRate;
  readonly #rates = new Map<string | undefined, CallRate>();

  constructor(makeRate: (caller: string | undefined) => CallRate) {
    this.#makeRate = makeRate;
  }

  take(caller: string | undefined): boolean | Promise<boolean> {
    let rate = this.#rates.get(caller);
    if (rate === undefined) {
      if (this.#rates.size >= MAX_CALLERS) this.#rates.clear();
      rate = this.#makeRate(caller);
      this.#rates.set(caller, rate);
    }
    return rate.take();
  }
}
