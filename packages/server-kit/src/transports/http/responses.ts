// HTTP responses that many rules share: header sets, and errors as JSON-RPC errors without an id.
import type { IncomingMessage } from "../../runtime/classify.ts";
import type { Connection } from "../../runtime/connection.ts";
import type { Channel } from "../../runtime/request/channel.ts";
import { INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR, type ErrorObject, type Id } from "../../wire/json-rpc.ts";
import type { HeaderList, HttpExchange } from "./http-exchange.ts";

export const JSON_HEADERS: HeaderList = ["Content-Type", "application/json"];

export const EVENT_STREAM_HEADERS: HeaderList = [
  "Content-Type",
  "text/event-stream",
  "Cache-Control",
  "no-cache, no-transform",
  "X-Accel-Buffering",
  "no",
];

export interface HttpErrorOptions {
  /** JSON-RPC code. Default -32600. */
  code?: number;
  /** Id of the request, where it is known. */
  id?: Id | undefined;
  data?: unknown;
  /** The limit that is reached, for observers: one of a few words. */
  limit?: string;
  headers?: HeaderList;
}

/** Refuses a request: thrown by the rules, answered by the handler. */
export class HttpError extends Error {
  readonly status: number;
  readonly options: HttpErrorOptions;

  constructor(status: number, message: string, options: HttpErrorOptions = {}) {
    super(message);
    this.status = status;
    this.options = options;
  }
}

export const bodyTooLarge = (maxBytes: number): HttpError =>
  new HttpError(413, `Request body too large: expected at most ${maxBytes} bytes.`);

/** The program around the server has read the body. `remedy`: what it has to do. */
export const bodyReadBefore = (remedy: string): HttpError =>
  new HttpError(500, `Request body was read before the MCP handler got it: ${remedy}.`, { code: INTERNAL_ERROR });

/** A client, or the load balancer before it, sends the request again: to the next process, or to another node. */
export const shuttingDown = (): HttpError =>
  new HttpError(503, "Server is shutting down. Retry shortly.", { headers: ["Retry-After", "1", "Connection", "close"] });

export const bodyNotUtf8 = (): HttpError => new HttpError(400, "Parse error: not UTF-8", { code: PARSE_ERROR });

/** Passes on a message that gets no response of its own; returns why the connection refuses it. */
export function accept(connection: Connection, message: IncomingMessage, channel: Omit<Channel, "refuse">): ErrorObject | undefined {
  let refusal: ErrorObject | undefined;
  connection.handle(message, { ...channel, refuse: (error) => (refusal = error) });
  return refusal;
}

export function respondAccepted(exchange: HttpExchange, refusal: ErrorObject | undefined): void {
  if (refusal === undefined) exchange.respond(202, []);
  else respondError(exchange, new HttpError(400, refusal.message, { code: refusal.code }));
}

export function respondError(exchange: HttpExchange, { status, message, options }: HttpError): void {
  const { code = INVALID_REQUEST, id, data, headers = [] } = options;
  exchange.respond(status, [...JSON_HEADERS, ...headers], JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } }));
}
