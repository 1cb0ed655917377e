// Reads one stream of server-sent events to its end. The parser ignores comments and unknown fields.
// https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
import { createParser } from "eventsource-parser";
import { InvalidResponseError } from "../../errors.ts";
import { MAX_MESSAGE_LENGTH, type Body } from "./response-body.ts";

export interface EventSink {
  onEvent(name: string, data: string): void;
  /** The id to resume the stream after. */
  onId?(id: string): void;
  /** The delay before reconnecting, in milliseconds. */
  onRetry?(ms: number): void;
}

/**
 * Resolves at the end of the stream or when the signal aborts: with the error if the stream failed. Throws when an event is too
 * long, and when the sink throws.
 */
export async function readEvents(body: Body, sink: EventSink, signal: AbortSignal): Promise<Error | undefined> {
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: MAX_MESSAGE_LENGTH,
    onEvent: ({ event = "message", data }) => sink.onEvent(event, data),
    onId: (id) => sink.onId?.(id),
    onRetry: (ms) => sink.onRetry?.(ms),
    onError: ({ type }) => (isTooLong ||= type === "max-buffer-size-exceeded"),
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", cancel);
  try {
    for (;;) {
      const part = await reader.read().catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
      if (part instanceof Error) return part;
      if (part.done) return undefined;
      parser.feed(decoder.decode(part.value, { stream: true }));
      if (isTooLong) throw new InvalidResponseError(`Event too long: expected at most ${MAX_MESSAGE_LENGTH} characters`);
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel(); // has no effect on a stream that has ended
  }
}
