// Waiting for a lock that another program holds: with a little chance in it, so that those who wait do not wait in step.
import { DbError } from "../errors.ts";

export const BUSY = "The database is busy: another program holds a lock on it. Nothing was done; try again in a moment";

/** How long one request waits for locks in all, in milliseconds. What it has waited for others to be served counts. */
const PATIENCE_MS = 5000;
/** Every lock is waited for so long nevertheless. */
const LEAST_MS = 500;

const pause = new Int32Array(new SharedArrayBuffer(4));
let left = PATIENCE_MS;

/** Another request begins, which has waited for so long already, in milliseconds. */
export function renewPatience(waitedMs: number): void {
  left = PATIENCE_MS - waitedMs;
}

/** Runs `act` until no lock is in its way, or for as long as there is patience. What it does must be undone by the engine when it is busy. */
export function patient<T>(act: () => T): T {
  let here = Math.max(left, LEAST_MS);
  for (let tried: number | undefined; ;) {
    try {
      return act();
    } catch (error) {
      if (!isBusy(error)) throw error;
      const now = performance.now();
      const ms = now - (tried ?? now);
      tried = now;
      here -= ms;
      left -= ms;
      if (here <= 0) throw new DbError("busy", BUSY);
      Atomics.wait(pause, 0, 0, 5 + Math.random() * 40);
    }
  }
}

export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** It is about one thing in the file, and what else is there can be told nevertheless: a name that is gone, or damage. */
export const isOfOneThing = (error: unknown): error is Error =>
  error instanceof Error && (codeOf(error) === "SQLITE_ERROR" || isDamage(error));

export const isDamage = (error: unknown): error is Error => error instanceof Error && codeOf(error).startsWith("SQLITE_CORRUPT");

/** Not SQLITE_LOCKED: what is in the way there is the statement itself, and waiting does not help. */
const isBusy = (error: unknown): boolean => codeOf(error).startsWith("SQLITE_BUSY");
