// BodyBudget: bounds what the bodies of all requests take while they arrive.

/** The bytes that all bodies may take which have not arrived completely. */
export class BodyBudget {
  readonly #maxBytes: number;
  #used = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** False when there is no room. */
  take(bytes: number): boolean {
    if (this.#used + bytes > this.#maxBytes) return false;
    this.#used += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#used -= bytes;
  }
}
