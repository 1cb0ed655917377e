// Session rules: what requests of the handshake era have to keep, whether one process serves a session or several.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
import { find } from "../../../revisions/index.ts";
import type { IncomingMessage } from "../../../runtime/classify.ts";
import type { Connection } from "../../../runtime/connection.ts";
import { INVALID_PARAMS, isObject } from "../../../wire/json-rpc.ts";
import type { HttpExchange } from "../http-exchange.ts";
import { acceptsEvents } from "../media-types.ts";
import { HttpError, JSON_HEADERS } from "../responses.ts";

/** Throws an HttpError on a version that no revision has. */
export function checkVersion({ protocolVersion }: HttpExchange["headers"]): void {
  if (protocolVersion !== undefined && find(protocolVersion) === undefined)
    throw new HttpError(400, "Unknown MCP-Protocol-Version header.");
}

/** Throws an HttpError on another version than that of the session. */
export function checkSessionVersion({ protocolVersion }: HttpExchange["headers"], { revision }: Connection): void {
  if (protocolVersion === undefined || protocolVersion === revision?.id) return;
  throw new HttpError(400, "Wrong MCP-Protocol-Version header: expected the version negotiated for this session.");
}

/** Throws an HttpError unless the client of a GET reads event streams. */
export function checkReadsEvents({ accept }: HttpExchange["headers"]): void {
  if (!acceptsEvents(accept)) throw new HttpError(406, "Accept header not supported: expected text/event-stream.");
}

/** Throws an HttpError on a notification that the specification does not allow. */
export function checkNotification(message: IncomingMessage): void {
  if (message.kind === "ignored" && "method" in message.value) {
    throw new HttpError(400, "Invalid params: expected an object.", { code: INVALID_PARAMS });
  }
}

/** Throws an HttpError when a session with so many event streams can have no further one. */
export function checkStreamCount(open: number, max: number): void {
  if (open >= max) throw new HttpError(429, `Too many streams: expected at most ${max} in a session. Close one.`);
}

/** Whether a message asks for progress, which needs an event stream. */
export function hasProgressToken(message: IncomingMessage): boolean {
  if (message.kind === "batch") return message.messages.some(hasProgressToken);
  const meta = message.kind === "request" ? message.value.params?._meta : undefined;
  return isObject(meta) && meta.progressToken !== undefined;
}

/** Answers `initialize`; `id` names the session that it has opened. */
export function respondInitialize(exchange: HttpExchange, text: string | undefined, id: string | undefined): void {
  exchange.respond(200, id === undefined ? JSON_HEADERS : [...JSON_HEADERS, "Mcp-Session-Id", id], text);
}

/** No further session can be opened. */
export const tooManySessions = (): HttpError =>
  new HttpError(503, "Server busy: too many sessions. Retry later.", { headers: ["Retry-After", "30"] });

/** The request does not name its session. */
export const noSessionId = (): HttpError =>
  new HttpError(400, "Missing Mcp-Session-Id header: expected the id from the initialize response.");

/** The session does not exist, or not for this caller. */
export const noSession = (): HttpError => new HttpError(404, "Session not found. Initialize again.");

/** All clients take 405 as the end of a stream; after an empty stream they would reconnect for ever. */
export const streamComplete = (): HttpError =>
  new HttpError(405, "Stream already complete: no event follows this Last-Event-ID.", { headers: ["Allow", "POST, DELETE"] });

/** No stream can be resumed from the named event. */
export const unknownEvent = (): HttpError =>
  new HttpError(400, "Unknown Last-Event-ID: no stream of this session can be resumed from there.");
