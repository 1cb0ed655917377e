// EventBudget: bounds the events that all sessions keep together. Beyond it, the sessions that added events least recently
// lose their oldest events first.

/** The events of one session. */
export interface EventHolder {
  readonly eventCount: number;
  dropOldest(): void;
}

export class EventBudget {
  readonly #maxChars: number;
  /** Least recently added to first. */
  readonly #holders = new Set<EventHolder>();
  #used = 0;

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  add(holder: EventHolder, chars: number): void {
    this.#used += chars;
    this.#holders.delete(holder);
    this.#holders.add(holder);
    for (const other of this.#holders) {
      // The newest event stays, however long it is.
      const keep = other === holder ? 1 : 0;
      while (this.#used > this.#maxChars && other.eventCount > keep) other.dropOldest();
      if (this.#used <= this.#maxChars) return;
      this.#holders.delete(other);
    }
    this.#holders.add(holder);
  }

  release(chars: number): void {
    this.#used -= chars;
  }

  remove(holder: EventHolder): void {
    this.#holders.delete(holder);
  }
}
