// Records the HTTP of a function from request to response: heads, bodies, and each event of a stream when it passes.
import { createParser } from "eventsource-parser";
import type { FetchHandler } from "./evaluate.ts";
import type { WireEntry } from "./messages.ts";
import { withBodyStream } from "./platform/missing-features.ts";

type Record = (entry: WireEntry) => void;

/** The headers that the protocol's transports define or use. */
const SHOWN_HEADERS = /^(?:mcp-.*|accept|allow|content-type|last-event-id)$/;

export function recordWire(handle: FetchHandler, record: Record): FetchHandler {
  return async (request) => {
    const text = await request.clone().text();
    const title = `${request.method} ${new URL(request.url).pathname}`;
    record({ direction: "request", title, headers: shownHeaders(request.headers), body: prettyJson(text) });
    const response = await handle(withBodyStream(request, text));
    if (!(response instanceof Response)) throw new TypeError("The exported function must return a Response.");
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    const body = isStream ? "" : prettyJson(await response.clone().text());
    record({ direction: "response", title: String(response.status), headers: shownHeaders(response.headers), body });
    return isStream && response.body !== null ? new Response(response.body.pipeThrough(eventRecorder(record)), response) : response;
  };
}

const shownHeaders = (headers: Headers): [string, string][] => [...headers].filter(([name]) => SHOWN_HEADERS.test(name));

/** Lets a stream of events through and records each event. */
function eventRecorder(record: Record): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const parser = createParser({
    onEvent({ event = "message", id, data }) {
      const headers: [string, string][] = id === undefined ? [] : [["id", id]];
      record({ direction: "response", title: `event: ${event}`, headers, body: prettyJson(data) });
    },
  });
  return new TransformStream({
    transform(chunk, controller) {
      parser.feed(decoder.decode(chunk, { stream: true }));
      controller.enqueue(chunk);
    },
  });
}

/** The text indented if it is JSON, unchanged otherwise. */
function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
