// CallRates: how often each caller may call tools, over all its sessions.
import type { IncomingMessage } from "../../runtime/classify.ts";
import { DEFAULT_LIMITS, RATE_EXCEEDED, type Limits } from "../../runtime/limits.ts";
import { TOO_MANY_REQUESTS } from "../../protocol/errors.ts";
import type { RateLimiter } from "./endpoints.ts";
import { HttpError } from "./responses.ts";

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

/** Callers without a name may be many clients, which are counted, together, only at a rate that was set. */
export const hasRate = ({ callsPerSecond }: Readonly<Limits>, caller: string | undefined): boolean =>
  caller !== undefined || callsPerSecond !== DEFAULT_LIMITS.callsPerSecond;

/** Takes the tool calls of a message from the rate of its caller. Throws an HttpError (429) when it is reached. */
export async function checkRate(rates: RateLimiter, message: IncomingMessage, caller: string | undefined): Promise<void> {
  const messages = message.kind === "batch" ? message.messages : [message];
  for (const one of messages) {
    if (one.kind !== "request" || one.value.method !== "tools/call" || (await rates.take(caller))) continue;
    const id = message.kind === "request" ? message.value.id : undefined;
    throw new HttpError(429, `${RATE_EXCEEDED} Retry shortly.`, {
      code: TOO_MANY_REQUESTS,
      id,
      limit: "rate",
      headers: ["Retry-After", "1"],
    });
  }
}
