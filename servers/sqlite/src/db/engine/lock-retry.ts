// Retry with back-off while another program holds a lock. The pauses are random, so that several waiting processes do not retry in step.
import { DbError } from "../errors.ts";
import { isBusy } from "./sqlite-errors.ts";

export const BUSY_MESSAGE =
  "The database is busy: another program holds a lock on it. Nothing was done; try again in a moment. A program that keeps it locked, such as a browser, has to be closed, or serve a copy of the file.";

/** How long a request waits for locks altogether, its time in the queue included, in milliseconds. */
const MAX_WAIT_MS = 5000;
/** Every lock is waited for this long, whatever the request has waited before. */
const MIN_WAIT_MS = 500;
const MIN_PAUSE_MS = 5;
const MAX_PAUSE_MS = 45;

/** Blocks the thread: a database process has nothing else to do. */
const sleeper = new Int32Array(new SharedArrayBuffer(4));
export const sleep = (ms: number): void => void Atomics.wait(sleeper, 0, 0, ms);

let requestWaitLeft = MAX_WAIT_MS;

/** Starts the wait of a new request, which has spent `queuedMs` in the queue. */
export function resetLockWait(queuedMs: number): void {
  requestWaitLeft = MAX_WAIT_MS - queuedMs;
}

/** Runs `act` again while it fails with SQLITE_BUSY and waiting time is left. The engine must undo what a busy `act` has done. */
export function retryWhileBusy<T>(act: () => T): T {
  let waitLeft = Math.max(requestWaitLeft, MIN_WAIT_MS);
  for (let failedAt: number | undefined; ;) {
    try {
      return act();
    } catch (error) {
      if (!isBusy(error)) throw error;
      const now = performance.now();
      const waited = now - (failedAt ?? now);
      failedAt = now;
      waitLeft -= waited;
      requestWaitLeft -= waited;
      if (waitLeft <= 0) throw new DbError("busy", BUSY_MESSAGE);
      sleep(MIN_PAUSE_MS + Math.random() * (MAX_PAUSE_MS - MIN_PAUSE_MS));
    }
  }
}
