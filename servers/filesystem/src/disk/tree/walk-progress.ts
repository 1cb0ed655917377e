// The pauses of a walk: other calls run in between, progress is reported, and an aborted walk ends.
import { yieldToEventLoop } from "@oarlock/domain-kit";

const SLICE_MS = 8;
const PROGRESS_MS = 100;

export class WalkProgress {
  readonly #report: ((seen: number) => void) | undefined;
  readonly #signal: AbortSignal | undefined;
  #sliceEnd = performance.now() + SLICE_MS;
  #reportedAt = 0;

  constructor(report: ((seen: number) => void) | undefined, signal: AbortSignal | undefined) {
    this.#report = report;
    this.#signal = signal;
  }

  /** The first report comes early, so that it never arrives together with the result: clients drop it then. */
  isPauseDue(seen: number): boolean {
    const isFirstReportDue = this.#reportedAt === 0 && seen > 0 && this.#report !== undefined;
    return isFirstReportDue || performance.now() >= this.#sliceEnd;
  }

  async pause(seen: number): Promise<void> {
    this.#signal?.throwIfAborted();
    const now = performance.now();
    if (now - this.#reportedAt >= PROGRESS_MS) {
      this.#reportedAt = now;
      this.#report?.(seen);
    }
    await yieldToEventLoop(this.#signal);
    this.#sliceEnd = performance.now() + SLICE_MS;
  }
}
