// The contract between the HTTP rules and the faces that carry them: node:http, and web-standard requests.
import type { Fields } from "./request-headers.ts";

/** Header names and values in turn: `["Allow", "POST"]`. */
export type FlatHeaders = readonly string[];

/** One HTTP request and the way back. */
export interface HttpExchange {
  readonly method: string;
  /** Without the query, as it was sent; undefined when the target is no path of ours. */
  readonly path: string | undefined;
  /** What follows the `?`; empty without one. */
  readonly query: string;
  readonly fields: Fields;
  /** The port that it came to. */
  readonly port: number | undefined;
  /** Added to whatever is answered. */
  extra: FlatHeaders;
  /** Hands over the body as text, or as bytes say why not: longer than `limit` (413) or not UTF-8 (400). Called at most once. */
  readBody(limit: number, done: (body: string | 400 | 413) => void): void;
  /** The whole answer. */
  answer(status: number, headers: FlatHeaders, body?: string): void;
  /** Begins an answer that is an event stream. */
  stream(headers: FlatHeaders): EventSink;
  /** Called when the other side has gone before the answer was complete. */
  onGone: (() => void) | undefined;
}

/** An open event stream. After `end` and `cut` nothing is called back. */
export interface EventSink {
  /** False: the other side reads slowly, so wait for `onDrain` before more. */
  write(text: string): boolean;
  end(last?: string): void;
  /** Breaks off at once. */
  cut(): void;
  onDrain: (() => void) | undefined;
  onGone: (() => void) | undefined;
}
