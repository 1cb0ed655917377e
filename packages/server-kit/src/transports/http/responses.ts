// What HTTP answers look like: header sets made once, and errors of the transport as JSON-RPC errors without an id.
import { INVALID_REQUEST, type Id } from "../../wire/json-rpc.ts";
import type { FlatHeaders, HttpExchange } from "./exchange.ts";

export const JSON_HEADERS: FlatHeaders = ["Content-Type", "application/json"];

export const EVENT_HEADERS: FlatHeaders = [
  "Content-Type",
  "text/event-stream",
  "Cache-Control",
  "no-cache, no-transform",
  "X-Accel-Buffering",
  "no",
];

export interface ErrorParts {
  code?: number;
  /** Of the request, where there is one to name. */
  id?: Id | undefined;
  data?: unknown;
  headers?: FlatHeaders;
}

export function answerError(exchange: HttpExchange, status: number, message: string, parts: ErrorParts = {}): undefined {
  const { code = INVALID_REQUEST, id, data, headers = [] } = parts;
  exchange.answer(status, [...JSON_HEADERS, ...headers], JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } }));
}
