// Posts of messages that have no response: repeated while the server, or one of several nodes behind one address, is unavailable for a
// moment, and replaced where the server awaits a response that is too large for it.
import { setTimeout as sleep } from "node:timers/promises";
import { errorText, INTERNAL_ERROR, isId, type Json } from "@oarlock/server-kit/protocol";
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

/** Posts a response. Where the server refuses it as too large, posts an error in its place, and rejects. */
export async function postResponse(text: string, post: (text: string) => Promise<unknown>): Promise<void> {
  try {
    await post(text);
  } catch (error) {
    const { id } = JSON.parse(text) as Json; // a message, or a batch, which has none
    if (error instanceof HttpStatusError && error.status === 413 && isId(id))
      await post(errorText(id, { code: INTERNAL_ERROR, message: "Response of the client too large: the server refused it (HTTP 413)" }));
    throw error;
  }
}

const isPassing = (error: unknown): boolean =>
  error instanceof HttpStatusError ? [502, 503, 504].includes(error.status) : error instanceof InterruptedError;
