// Progress that rises and does not flood: a burst goes out at once, then at most ten a second; what comes too soon is left out.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/progress
import type { Json } from "../wire/json-rpc.ts";

const BURST = 20;
const EVERY_MS = 100;

export class ProgressThrottle {
  readonly #send: (params: Json) => void;
  #highest = -Infinity;
  #burst = BURST;
  #last = 0;

  constructor(send: (params: Json) => void) {
    this.#send = send;
  }

  /** A step that does not rise is left out: the protocol wants every notification higher than the one before. */
  step(progress: number, total: number | undefined, message: string | undefined): void {
    if (!(progress > this.#highest && Number.isFinite(progress))) return;
    this.#highest = progress;
    const params: Json = { progress };
    if (total !== undefined && Number.isFinite(total)) params.total = total;
    if (message !== undefined) params.message = message.slice(0, 1000);
    const now = performance.now();
    if (this.#burst === 0 && now - this.#last < EVERY_MS) return;
    if (this.#burst > 0) this.#burst--;
    this.#last = now;
    this.#send(params);
  }
}
