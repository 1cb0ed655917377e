// What can go wrong on our side of a connection. What the server answers with is an `McpError` of the kit.

/** No answer in time. The request was cancelled, and a late answer is ignored. */
export class TimedOut extends Error {
  readonly method: string;
  readonly afterMs: number;
  /** True when progress kept coming but the whole took longer than it may. */
  readonly total: boolean;

  constructor(method: string, afterMs: number, total: boolean) {
    super(total ? `${method} took longer than ${afterMs} ms in all` : `No answer to ${method} within ${afterMs} ms`);
    this.name = "TimedOut";
    this.method = method;
    this.afterMs = afterMs;
    this.total = total;
  }
}

/** The connection is gone: closed by us, or the server ended; `cause` and the message say how. */
export class Closed extends Error {
  constructor(message: string, cause?: Error) {
    super(message, cause && { cause });
    this.name = "Closed";
  }
}

/** The handshake did not come to an agreement; the connection was closed. */
export class HandshakeFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = "HandshakeFailed";
  }
}

/** The server did not declare what the call needs, so nothing was sent. `client.request` sends regardless. */
export class NotOffered extends Error {
  constructor(capability: string) {
    super(`The server does not offer ${capability}`);
    this.name = "NotOffered";
  }
}

/** The other side broke the protocol in a way that leaves a request without a usable answer. */
export class BadAnswer extends Error {
  constructor(message: string) {
    super(message);
    this.name = "BadAnswer";
  }
}

/** The way to the server broke, or its stream did. The server may or may not have done what was asked. */
export class Interrupted extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Interrupted";
  }
}

/** So much of a refusal's text is kept, in characters. */
const EXCERPT = 1000;

/** The server answered with an HTTP status that is no success: 401 without a good token, 403, 404, 503 … */
export class HttpRefused extends Error {
  readonly status: number;
  /** The start of what it said, at most 1,000 characters. Tokens and session ids are left out. */
  readonly body: string;
  /** Its `WWW-Authenticate`: how to get in. */
  readonly wwwAuthenticate: string | undefined;

  constructor(method: string, status: number, said: { body: string; wwwAuthenticate?: string }) {
    const body = said.body.slice(0, EXCERPT);
    super(`The server refused the ${method} with ${status}${body === "" ? "" : `: ${body.slice(0, 200)}`}`);
    this.name = "HttpRefused";
    this.status = status;
    this.body = body;
    this.wwwAuthenticate = said.wwwAuthenticate;
  }
}

/** A reason as an Error, as promises are rejected with errors only. */
export const asError = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error(typeof reason === "string" ? reason : "aborted");
