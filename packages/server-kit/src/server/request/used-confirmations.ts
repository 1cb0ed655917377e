// UsedConfirmations: calls whose confirmation by the user was used already. In the stateless revision the client sends the answer with the call,
// and may send both twice, for example after a lost response. Without this check the act would be done again unasked.
import type { Backplane } from "../../backplane/backplane.ts";

/** Calls that are remembered in this process; of more, the oldest are forgotten. */
const MAX_CALLS = 100_000;

export class UsedConfirmations {
  readonly #backplane: Backplane | undefined;
  readonly #ttlMs: number;
  /** When the state of each call has expired. */
  readonly #used = new Map<string, number>();

  /** `ttlMs`: how long the client may send an answer. */
  constructor(backplane: Backplane | undefined, ttlMs: number) {
    this.#backplane = backplane;
    this.#ttlMs = ttlMs;
  }

  /** False where the confirmation of this call was used, on any node. Rejects where the other nodes cannot be asked. */
  async take(callId: string): Promise<boolean> {
    if (this.#backplane !== undefined) {
      return (await this.#backplane.put(keyOf(callId), "", { ttlMs: this.#ttlMs, when: "absent" })) !== undefined;
    }
    this.#forget();
    if (this.#used.has(callId)) return false;
    this.#used.set(callId, Date.now() + this.#ttlMs);
    return true;
  }

  /** The act was not done: the call needs another answer first. */
  async release(callId: string): Promise<void> {
    this.#used.delete(callId);
    await this.#backplane?.drop(keyOf(callId));
  }

  #forget(): void {
    const now = Date.now();
    for (const [callId, expiresAt] of this.#used) {
      if (expiresAt > now && this.#used.size < MAX_CALLS) return;
      this.#used.delete(callId);
    }
  }
}

const keyOf = (callId: string): string => `u:${callId}`;
