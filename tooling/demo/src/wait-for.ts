// Waits for notifications of a server.
import { setTimeout as sleep } from "node:timers/promises";

/** Far longer than anything here takes; a step that uses it up has failed. */
const PATIENCE_MS = 15_000;

/** Waits until it is so, and tells after how many milliseconds. */
export async function until(what: string, isSo: () => boolean): Promise<number> {
  const from = performance.now();
  while (!isSo()) {
    if (performance.now() - from > PATIENCE_MS) throw new Error(`waited ${PATIENCE_MS / 1000} seconds in vain: ${what}`);
    await sleep(5);
  }
  return Math.round(performance.now() - from);
}
