// Progress of one request: rises with each notification, throttled to ten a second after a burst.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/progress
import type { Context } from "../../features/context.ts";
import { isObject, type Json } from "../../wire/json-rpc.ts";

const BURST = 20;
const INTERVAL_MS = 100;
const MAX_MESSAGE_LENGTH = 1000;

export class ProgressThrottle {
  readonly #send: (params: Json) => void;
  #highest = -Infinity;
  #burst = BURST;
  #sentAt = 0;

  constructor(send: (params: Json) => void) {
    this.#send = send;
  }

  /** Drops a step that does not rise: the protocol wants each value higher than the one before. */
  step(progress: number, total: number | undefined, message: string | undefined): void {
    if (!(progress > this.#highest && Number.isFinite(progress))) return;
    this.#highest = progress;
    const params: Json = { progress };
    if (total !== undefined && Number.isFinite(total)) params.total = total;
    if (message !== undefined) params.message = message.slice(0, MAX_MESSAGE_LENGTH);
    const now = performance.now();
    // Nothing is kept for later: official clients handle notifications after responses, so one beside its response is lost there.
    if (this.#burst === 0 && now - this.#sentAt < INTERVAL_MS) return;
    if (this.#burst > 0) this.#burst--;
    this.#sentAt = now;
    this.#send(params);
  }
}

/** `ctx.progress` of a request: does nothing when its params hold no progress token. */
export function progressOf({ _meta: meta }: Json, send: (params: Json) => void): Context["progress"] {
  const token = isObject(meta) ? meta.progressToken : undefined;
  // JavaScript rounds an unsafe integer, so it could not be returned as it came.
  if (typeof token !== "string" && !Number.isSafeInteger(token)) return () => undefined;
  const throttle = new ProgressThrottle((params) => send({ progressToken: token, ...params }));
  return (done, total, message) => throttle.step(done, total, message);
}
