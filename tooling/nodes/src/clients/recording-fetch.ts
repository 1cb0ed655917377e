/** A `fetch` that reports what a client receives: statuses, events with their ids, and ends of streams. */
import { createParser } from "eventsource-parser";

export interface WireObserver {
  /** `isListener`: the request opens the standing stream of a session. */
  onStatus(status: number, method: string, isListener: boolean): void;
  /** An event of a stream, in the order of arrival. */
  onEvent(event: WireEvent): void;
  /** `isComplete`: the server ended the stream; otherwise the connection broke. */
  onStreamEnd(stream: WireStream, isComplete: boolean): void;
}

export interface WireStream {
  /** It carries what belongs to no request: the answer to GET for the standing stream, or to `subscriptions/listen`. */
  isListener: boolean;
  readonly session: string | undefined;
}

export interface WireEvent {
  readonly session: string | undefined;
  readonly id: string | undefined;
  readonly data: string;
}

export function recordingFetch(observer: WireObserver, fetch: typeof globalThis.fetch = globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const { method = "GET", headers: given } = input instanceof Request ? input : (init ?? {});
    const headers = new Headers(given);
    const response = await fetch(input, init);
    const isListener = method === "GET" && !headers.has("last-event-id");
    observer.onStatus(response.status, method, isListener);
    if (response.body === null || response.headers.get("content-type")?.startsWith("text/event-stream") !== true) return response;
    const session = headers.get("mcp-session-id") ?? response.headers.get("mcp-session-id") ?? undefined;
    const isStanding = method === "GET" && /^(0-|$)/.test(headers.get("last-event-id") ?? "");
    const stream: WireStream = { isListener: isStanding, session };
    const { status, statusText } = response;
    return new Response(observed(response.body, stream, { observer, signal: init?.signal }), {
      status,
      statusText,
      headers: response.headers,
    });
  };
}

/** Passes the bytes on and reports the events in them. */
function observed(
  body: ReadableStream<Uint8Array>,
  stream: WireStream,
  { observer, signal }: { observer: WireObserver; signal: AbortSignal | null | undefined },
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = createParser({
    onEvent({ id, data }) {
      if (data.includes('"notifications/subscriptions/acknowledged"')) stream.isListener = true;
      observer.onEvent({ session: stream.session, id, data });
    },
  });
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          observer.onStreamEnd(stream, true);
          controller.close();
        } else {
          parser.feed(decoder.decode(value, { stream: true }));
          controller.enqueue(value);
        }
      } catch (error) {
        // A client may end its own stream by its signal.
        if (signal?.aborted !== true) observer.onStreamEnd(stream, false);
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
