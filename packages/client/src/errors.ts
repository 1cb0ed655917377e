// The errors of the client. An error response of the server is an `McpError` of `@oarlock/server-kit/protocol`.
import { INTERNAL_ERROR, McpError, type Json } from "@oarlock/server-kit/protocol";

/** The request had no response in time. It was cancelled; a late response is ignored. */
export class RequestTimeoutError extends Error {
  readonly method: string;
  readonly afterMs: number;
  /** True when `maxTotalMs` elapsed, false when `timeoutMs` elapsed without progress. */
  readonly total: boolean;

  constructor(method: string, afterMs: number, total: boolean) {
    super(
      total
        ? `Request ${method} timed out: not complete after ${afterMs} ms in total`
        : `Request ${method} timed out: no response within ${afterMs} ms`,
    );
    this.name = "RequestTimeoutError";
    this.method = method;
    this.afterMs = afterMs;
    this.total = total;
  }
}

/** The connection is closed, by the client or by the end of the server. The message and `cause` have the reason. */
export class ConnectionClosedError extends Error {
  constructor(message: string, cause?: Error) {
    super(message, cause && { cause });
    this.name = "ConnectionClosedError";
  }
}

/** Client and server have no protocol revision in common, or the handshake failed. The connection was closed. */
export class NegotiationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "NegotiationError";
  }
}

/** The server did not declare the capability that a call needs, so nothing was sent. `client.request` sends regardless. */
export class UnsupportedCapabilityError extends Error {
  constructor(capability: string) {
    super(`The server does not support ${capability}`);
    this.name = "UnsupportedCapabilityError";
  }
}

/** The server violated the protocol, so that a request has no usable response. */
export class InvalidResponseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "InvalidResponseError";
  }
}

/** The server has cancelled the task that a call had become. */
export class TaskCancelledError extends Error {
  constructor(taskId: string, statusMessage: string | undefined) {
    super(`Task ${taskId} was cancelled${statusMessage === undefined ? "" : `: ${statusMessage}`}`);
    this.name = "TaskCancelledError";
  }
}

/** The network or a stream failed before the response. It is unknown whether the server has processed the request. */
export class InterruptedError extends Error {
  /** Whether the server could not be reached at all, so that it has not seen the request. */
  readonly isUnreachable: boolean;

  constructor(message: string, reason?: unknown) {
    super(message);
    this.name = "InterruptedError";
    this.isUnreachable = isUnreachable(reason);
  }
}

/** Codes of connections that were never open. */
const UNREACHABLE = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|\w+_CERT\w*)$/;

function isUnreachable(reason: unknown): boolean {
  if (!(reason instanceof Error)) return false;
  if ("code" in reason && UNREACHABLE.test(String(reason.code))) return true;
  return reason instanceof AggregateError ? reason.errors.some(isUnreachable) : isUnreachable(reason.cause);
}

const MAX_BODY_CHARACTERS = 1000;
const MAX_MESSAGE_CHARACTERS = 200;

/** The server responded with an HTTP status other than 2xx: 401 without a valid token, 403, 404, 503 … */
export class HttpStatusError extends Error {
  readonly status: number;
  /** The start of the response body, at most 1,000 characters. Tokens and session ids are replaced. */
  readonly body: string;
  /** The `WWW-Authenticate` header: how to authorize. */
  readonly wwwAuthenticate: string | undefined;

  /** `location`: where a redirect leads that was not followed. */
  constructor(method: string, status: number, response: { body: string; wwwAuthenticate?: string; location?: string | undefined }) {
    const body = response.body.slice(0, MAX_BODY_CHARACTERS);
    const moved =
      response.location === undefined ? undefined : `it redirects to ${response.location}. Connect to that URL if you trust it.`;
    const reason = moved ?? body.slice(0, MAX_MESSAGE_CHARACTERS);
    super(`The server rejected ${method} with HTTP status ${status}${reason === "" ? "" : `: ${reason}`}`);
    this.name = "HttpStatusError";
    this.status = status;
    this.body = body;
    this.wwwAuthenticate = response.wwwAuthenticate;
  }
}

/** A rejection reason or abort reason as an `Error`. */
export const asError = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error(typeof reason === "string" ? reason : "aborted");

/** The fault of a callback or handler of the host that has thrown. */
export const handlerFailed = (method: string, error: unknown): string =>
  `The client's handler of ${method} failed: ${asError(error).message}`;

/** An error response as an error; without a code or a message it is a fault, too. */
export function toMcpError({ code, message, data }: Json, onFault: ((message: string) => void) | undefined): McpError {
  const hasCode = Number.isInteger(code);
  const hasMessage = typeof message === "string";
  if (!hasCode || !hasMessage) onFault?.("Invalid error response: expected an integer code and a message");
  return new McpError(hasCode ? Number(code) : INTERNAL_ERROR, hasMessage ? message : "No message", data);
}
