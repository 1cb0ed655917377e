// CallRates: the rates of stateless tool calls, counted in this process.
import { TokenBucket } from "../../peer/token-bucket.ts";
import type { RateLimiter } from "./endpoints.ts";

/** Callers whose calls are counted; beyond that many, counting starts afresh. */
const MAX_CALLERS = 10_000;

export class CallRates implements RateLimiter {
  readonly #perSecond: number;
  readonly #buckets = new Map<string | undefined, TokenBucket>();

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  take(caller: string | undefined): boolean {
    let bucket = this.#buckets.get(caller);
    if (bucket === undefined) {
      if (this.#buckets.size >= MAX_CALLERS) this.#buckets.clear();
      bucket = new TokenBucket(this.#perSecond);
      this.#buckets.set(caller, bucket);
    }
    return bucket.take();
  }
}
