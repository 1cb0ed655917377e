// untilAvailable: repeats a post while the server, or one of several nodes behind one address, is unavailable for a moment.
import { setTimeout as sleep } from "node:timers/promises";
import { HttpStatusError, InterruptedError } from "../../errors.ts";

const WAITS_MS = [100, 500, 1000, 2000, 4000];

/** Posts a message without a response: one that may be sent twice. Rejects with the last error. */
export async function untilAvailable<T>(post: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const wait of WAITS_MS) {
    try {
      return await post();
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error;
      await sleep(wait, undefined, { signal });
    }
  }
  return post();
}

const isPassing = (error: unknown): boolean =>
  error instanceof HttpStatusError ? [502, 503, 504].includes(error.status) : error instanceof InterruptedError;
