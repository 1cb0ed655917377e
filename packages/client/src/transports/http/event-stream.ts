// Reads one event stream to its end. Comments and fields that nobody knows are left out by the parser.
// https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
import { createParser } from "eventsource-parser";
import { BadAnswer } from "../../errors.ts";
import { LONGEST_MESSAGE, type Body } from "./response-body.ts";

export interface EventSink {
  event(name: string, data: string): void;
  /** The id behind which the stream can be resumed. */
  id?(id: string): void;
  /** How long to wait before coming back, in milliseconds. */
  retry?(ms: number): void;
}

/**
 * Resolves at the end, or when the signal ends it: with the error when the stream broke. Throws when an event is too long, or
 * when the sink does.
 */
export async function readEvents(body: Body, sink: EventSink, signal: AbortSignal): Promise<Error | undefined> {
  let tooLong = false;
  const parser = createParser({
    maxBufferSize: LONGEST_MESSAGE,
    onEvent: ({ event = "message", data }) => sink.event(event, data),
    onId: (id) => sink.id?.(id),
    onRetry: (ms) => sink.retry?.(ms),
    onError: ({ type }) => (tooLong ||= type === "max-buffer-size-exceeded"),
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  const leave = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", leave);
  try {
    for (;;) {
      const part = await reader.read().catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
      if (part instanceof Error) return part;
      if (part.done) return undefined;
      parser.feed(decoder.decode(part.value, { stream: true }));
      if (tooLong) throw new BadAnswer(`An event of the server is longer than ${LONGEST_MESSAGE} characters`);
    }
  } finally {
    signal.removeEventListener("abort", leave);
    leave(); // without effect where it has ended
  }
}
