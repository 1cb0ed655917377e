// Reads a stream of events across interruptions: waits, reconnects, and resumes after the last event.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
import { setTimeout as sleep } from "node:timers/promises";
import { InterruptedError } from "../../errors.ts";
import { MAX_TIMER_MS } from "../../timers.ts";
import { readEvents } from "./event-stream.ts";
import type { Body } from "./response-body.ts";

export interface ResumableStreamOptions {
  /** Receives each message. Events without data, which only carry an id, are skipped. */
  onMessage(text: string): void;
  /** Opens the stream, after the event with this id if there is one. A returned error is transient, a thrown one is final. */
  open(lastEventId: string | undefined): Promise<Body | Error>;
  /** Whether more messages are expected after the end of the stream. */
  isExpectingMore(): boolean;
  /** Whether the stream can only be resumed after an event, not opened again. */
  requiresEventId: boolean;
  signal: AbortSignal;
}

/** Delay before reconnecting, unless the server sends another. */
const DEFAULT_RETRY_MS = 1000;
/** Consecutive attempts without an event; the delay doubles with each. */
const MAX_ATTEMPTS = 5;
/** A stream that was open for this long counts as a success, even without an event. */
const STABLE_MS = 10_000;

/** Resolves when the stream has ended and no more messages are expected; throws when it cannot be resumed. */
export async function readResumableStream(first: Body | undefined, options: ResumableStreamOptions): Promise<void> {
  const { signal } = options;
  let lastEventId: string | undefined;
  let retryMs: number | undefined;
  let attempts = 0;
  let hasReceived = false;
  const sink = {
    onEvent(name: string, data: string): void {
      hasReceived = true;
      if (name === "message" && data !== "") options.onMessage(data);
    },
    onId(id: string): void {
      hasReceived = true;
      lastEventId = id === "" ? undefined : id;
    },
    onRetry: (ms: number): void => void (retryMs = ms),
  };
  let stream: Body | Error = first ?? (await options.open(undefined));
  for (;;) {
    let failure: Error | undefined;
    if (stream instanceof Error) failure = stream;
    else {
      const openedAt = performance.now();
      hasReceived = false;
      failure = await readEvents(stream, sink, signal);
      // A server that sends a retry delay and ends the stream asks the client to poll, as often as it likes.
      const isPolling = failure === undefined && retryMs !== undefined;
      if (hasReceived || isPolling || performance.now() - openedAt > STABLE_MS) attempts = 0;
    }
    if (!options.isExpectingMore()) return;
    signal.throwIfAborted();
    if (options.requiresEventId && lastEventId === undefined) throw interrupted("its events have no ids to resume it by", failure);
    if (attempts === MAX_ATTEMPTS) throw interrupted(`${MAX_ATTEMPTS} attempts to resume it failed`, failure);
    await sleep(Math.min((retryMs ?? DEFAULT_RETRY_MS) * 2 ** attempts++, MAX_TIMER_MS), undefined, { signal });
    if (!options.isExpectingMore()) return;
    stream = await options.open(lastEventId);
  }
}

function interrupted(problem: string, failure: Error | undefined): InterruptedError {
  return new InterruptedError(
    `The server's stream ended before the response, and ${problem}${failure === undefined ? "" : `: ${failure.message}`}`,
  );
}
