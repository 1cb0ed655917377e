// UsedConfirmations: calls whose confirmation by the user was used already. In the stateless revision the client sends the answer with the call,
// and may send both twice, for example after a lost response. Without this check the act would be done again unasked.

/** Calls that are remembered in this process; of more, the oldest are forgotten. */
const MAX_CALLS = 100_000;

/** Which confirmations of users were used already. */
export interface UsedConfirmations {
  /** False where the confirmation of this call was used. Rejects where that cannot be found out. */
  take(callId: string): Promise<boolean>;
  /** The act was not done: the call needs another answer first. */
  release(callId: string): Promise<void>;
}

/** Remembers the calls of one process. */
export class MemoryConfirmations implements UsedConfirmations {
  readonly #ttlMs: number;
  /** When the state of each call has expired. */
  readonly #used = new Map<string, number>();

  /** `ttlMs`: how long the client may send an answer. */
  constructor(ttlMs: number) {
    this.#ttlMs = ttlMs;
  }

  async take(callId: string): Promise<boolean> {
    this.#forget();
    if (this.#used.has(callId)) return false;
    this.#used.set(callId, Date.now() + this.#ttlMs);
    return true;
  }

  async release(callId: string): Promise<void> {
    this.#used.delete(callId);
  }

  #forget(): void {
    const now = Date.now();
    for (const [callId, expiresAt] of this.#used) {
      if (expiresAt > now && this.#used.size < MAX_CALLS) return;
      this.#used.delete(callId);
    }
  }
}
