// Many changes, few notices: the first one goes out at once (almost, so that a save in several steps is one change), the next
// after a pause that doubles while the changes go on. 400 quick changes make a handful of notices, and the last is never lost.

const FIRST_MS = 60;
const LONGEST_MS = 1000;
/** Quiet for so long, and the next change is a first one again. */
const CALM_MS = 2000;

export class Pace {
  readonly #notify: () => void;
  #timer: NodeJS.Timeout | undefined;
  #pause = FIRST_MS;
  #lastNotice = Number.NEGATIVE_INFINITY;

  constructor(notify: () => void) {
    this.#notify = notify;
  }

  /** Something has changed. */
  hint(): void {
    if (this.#timer) return;
    const now = performance.now();
    if (now - this.#lastNotice > CALM_MS) this.#pause = FIRST_MS;
    // Never keeps the process alive: a notice that nobody is left to read may be lost.
    this.#timer = setTimeout(() => this.#fire(), this.#pause).unref();
  }

  /** No notice after this. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #fire(): void {
    this.#timer = undefined;
    this.#pause = Math.min(this.#pause * 2, LONGEST_MS);
    this.#lastNotice = performance.now();
    this.#notify();
  }
}
