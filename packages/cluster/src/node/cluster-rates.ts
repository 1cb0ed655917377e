// clusterRates: the rates of calls, counted over all nodes. A node takes tokens in portions, so that not each call asks the backplane.
import { CallRates, type RateLimiter, TokenBucket } from "@oarlock/server-kit/transport";
import type { Backplane } from "../backplane/backplane.ts";
import { digestOf } from "../backplane/digest.ts";

/** How long a portion may be used. What is left of it then is lost. */
const PORTION_MS = 250;

/** A portion is at most this part of the tokens of one second. */
const PORTIONS_PER_SECOND = 20;

/** After a failed call to the backplane, the node counts its own calls for this time. */
const ALONE_MS = 1000;

export const clusterRates = (backplane: Backplane, perSecond: number): RateLimiter =>
  new CallRates((caller = "") => new ClusterRate(backplane, caller, perSecond));

class ClusterRate {
  readonly #backplane: Backplane;
  /** Its name has a digest: a caller may be the name of a person, and of any length. */
  readonly #bucket: Promise<string>;
  readonly #perSecond: number;
  readonly #burst: number;
  /** Counts while the backplane does not answer. */
  readonly #local: TokenBucket;
  #portion = 0;
  #takenAt = 0;
  /** Size of the next portion: grows while portions are used up, so that a slow caller loses no tokens. */
  #size = 1;
  #aloneUntil = 0;
  readonly #waiting: ((isAllowed: boolean) => void)[] = [];
  #isTaking = false;

  constructor(backplane: Backplane, caller: string, perSecond: number) {
    this.#backplane = backplane;
    this.#bucket = digestOf(caller).then((digest) => `r:${digest}`);
    this.#perSecond = perSecond;
    this.#burst = Math.max(1, perSecond);
    this.#local = new TokenBucket(perSecond);
  }

  async take(): Promise<boolean> {
    if (this.#isTaking) return this.#wait();
    const isFresh = performance.now() - this.#takenAt <= PORTION_MS;
    if (isFresh && this.#portion > 0) {
      this.#portion--;
      return true;
    }
    if (!this.#backplane.isUp || performance.now() < this.#aloneUntil) return this.#local.take();
    this.#resize(isFresh);
    const isAllowed = this.#wait();
    void this.#serveWaiting();
    return isAllowed;
  }

  #wait(): Promise<boolean> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** `isFresh`: the last portion was used up in its time. */
  #resize(isFresh: boolean): void {
    const largest = Math.max(1, Math.floor(this.#perSecond / PORTIONS_PER_SECOND));
    this.#size = isFresh ? Math.min(2 * this.#size, largest) : Math.max(1, Math.min(this.#size, this.#size - this.#portion));
  }

  /** Takes portions until no call waits. */
  async #serveWaiting(): Promise<void> {
    this.#isTaking = true;
    while (this.#waiting.length > 0) {
      const want = Math.max(this.#size, this.#waiting.length);
      try {
        this.#portion = await this.#backplane.take(await this.#bucket, want, this.#perSecond, this.#burst);
        this.#takenAt = performance.now();
        const isReached = this.#portion < want;
        for (const resolve of this.#waiting.splice(0, this.#portion)) {
          this.#portion--;
          resolve(true);
        }
        if (isReached) for (const resolve of this.#waiting.splice(0)) resolve(false);
      } catch {
        this.#aloneUntil = performance.now() + ALONE_MS;
        this.#portion = 0;
        for (const resolve of this.#waiting.splice(0)) resolve(this.#local.take());
      }
    }
    this.#isTaking = false;
  }
}
