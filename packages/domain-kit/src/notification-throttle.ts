// Change notifications at a bounded rate.

/** Short enough to feel immediate, long enough that a save in several steps is one change. */
const FIRST_DELAY_MS = 60;
const MAX_DELAY_MS = 1000;
/** After a quiet time this long, the next change gets the first delay again. */
const QUIET_MS = 2000;

/**
 * Throttles change notifications: the first change is notified after 60 ms, the next ones after a delay that doubles up to a second
 * while changes continue. 400 quick changes make a handful of notifications, and the last change is always notified.
 */
export class NotificationThrottle {
  readonly #notify: () => void;
  #timer: NodeJS.Timeout | undefined;
  #delay = FIRST_DELAY_MS;
  #notifiedAt = Number.NEGATIVE_INFINITY;

  constructor(notify: () => void) {
    this.#notify = notify;
  }

  /** Something has changed: notifies after the current delay, unless a notification is already due. */
  changed(): void {
    if (this.#timer !== undefined) return;
    if (performance.now() - this.#notifiedAt > QUIET_MS) this.#delay = FIRST_DELAY_MS;
    // A pending notification does not keep the process alive: at exit its reader is gone.
    this.#timer = setTimeout(() => this.#fire(), this.#delay).unref();
  }

  /** Cancels the pending notification, if there is one. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #fire(): void {
    this.#timer = undefined;
    this.#delay = Math.min(this.#delay * 2, MAX_DELAY_MS);
    this.#notifiedAt = performance.now();
    this.#notify();
  }
}
