// Waiting for a lock that another program holds: with a little chance in it, so that those who wait do not wait in step.
import { DbError } from "../errors.ts";

export const BUSY = "The database is busy: another program holds a lock on it. Nothing was done; try again in a moment";

/** The longest wait for a lock, in milliseconds. */
const PATIENCE_MS = 5000;

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Runs `act` until no lock is in its way, or for five seconds. What it does must be undone by the engine when it is busy. */
export function patient<T>(act: () => T): T {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return act();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() > until) throw new DbError("busy", BUSY);
      Atomics.wait(pause, 0, 0, 5 + Math.random() * 40);
    }
  }
}

export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

const isBusy = (error: unknown): boolean => /^SQLITE_(?:BUSY|LOCKED)/.test(codeOf(error));
