// node:http as a face of the HTTP rules.
import { isUtf8 } from "node:buffer";
import { createServer, type IncomingMessage, type Server as NodeServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Server } from "../../../server/define.ts";
import { describeError } from "../../../protocol/errors.ts";
import type { EventSink, FlatHeaders, HttpExchange } from "../exchange.ts";
import { readFields, type Fields } from "../request-headers.ts";
import { isLoopback } from "../guard/host-guard.ts";
import { HttpHandler, type HttpCounts, type HttpOptions } from "../handler.ts";
import { DEFAULT_HTTP_LIMITS } from "../http-limits.ts";

/** How a server is run over HTTP by a listener of its own. */
export interface ServeHttpOptions extends HttpOptions {
  /** Default `127.0.0.1`. Anything but loopback needs `auth`. */
  host?: string;
  /** 0 takes a free one. Default 3920. */
  port?: number;
  /** Serves other machines without authentication. Everybody who reaches the port may use the server. Default false. */
  dangerouslyAllowUnauthenticated?: boolean;
  /** How long requests may go on after `stop`, in milliseconds. Default 5,000. */
  graceMs?: number;
}

/** A server that listens. */
export interface HttpServer {
  readonly url: string;
  readonly port: number;
  /** Resolves when the server has stopped and all work is done or undone. */
  readonly ended: Promise<void>;
  counts(): HttpCounts & { connections: number };
  /** Takes nothing new, lets requests finish within the grace time, ends. */
  stop(): Promise<void>;
}

/** A server inside a listener of `node:http`. */
export interface NodeHandler {
  (request: IncomingMessage, response: ServerResponse): void;
  counts(): HttpCounts;
  /** Takes nothing new, lets requests finish within the time (milliseconds, default 5,000), ends. */
  close(graceMs?: number): Promise<void>;
}

/**
 * Serves a server inside an HTTP server of `node:http` that is there already (Express and the like too, before anything that
 * reads bodies). Answers 404 to other paths than `options.path` (default `/mcp`), so hand it that one. Who listens in front of it
 * decides who can reach it: hosts other than loopback must be named in `allowedHosts`, and time limits of sockets are its own.
 * @example
 * const mcp = toNodeHandler(server);
 * createServer((request, response) => (request.url === "/mcp" ? mcp(request, response) : app(request, response)));
 */
export function toNodeHandler(server: Server, options: HttpOptions = {}): NodeHandler {
  const handler = new HttpHandler(server, options);
  const handle = (request: IncomingMessage, response: ServerResponse): void => receive(handler, request, response);
  return Object.assign(handle, { counts: () => handler.counts(), close: (graceMs = 5000) => handler.close(graceMs) });
}

function receive(handler: HttpHandler, request: IncomingMessage, response: ServerResponse, waits = false): void {
  const take = (): void => handler.handle(new NodeExchange(request, response, waits));
  // One that is pipelined behind others has to wait for its turn, or a reader that takes nothing fills the memory.
  if ((response.socket as object | null) === null) response.once("socket", take);
  else take();
}

/**
 * Serves a server over Streamable HTTP. Rejects when the port cannot be had, and with a TypeError on options that would
 * expose the server.
 * @example
 * const { url, stop } = await serveHttp(server, { port: 0 });
 */
export async function serveHttp(server: Server, options: ServeHttpOptions = {}): Promise<HttpServer> {
  const { host = "127.0.0.1", port = 3920, path = "/mcp", graceMs = 5000 } = options;
  const name = host.includes(":") ? `[${host}]` : host;
  if (!isLoopback(name) && options.auth === undefined && options.dangerouslyAllowUnauthenticated !== true) {
    throw new TypeError(`${host} is not loopback: serving other machines needs authentication`);
  }
  const limits = { ...DEFAULT_HTTP_LIMITS, ...options.http };
  const handler = new HttpHandler(server, { ...options, host: name });
  const headersTimeout = Math.min(limits.headersMs, limits.bodyMs); // Node wants it so
  const http = createServer(
    { headersTimeout, requestTimeout: limits.bodyMs, connectionsCheckingInterval: 1000, keepAliveTimeout: 30_000 },
    (request, response) => receive(handler, request, response),
  );
  http.maxConnections = limits.connections;
  http.maxHeadersCount = 0; // the guard counts them: Node would drop some and say nothing
  http.timeout = 2 * limits.stalledMs;
  // Left to itself, Node asks for every body before anybody has looked at who sends it.
  http.on("checkContinue", (request, response) => receive(handler, request, response, true));
  http.on("connect", (_request, socket) => {
    socket.on("error", () => undefined);
    socket.end(CONNECT_REFUSED, () => socket.destroy());
  });
  let connections = 0;
  let deserted: (() => void) | undefined;
  http.on("connection", (socket) => {
    connections++;
    socket.on("close", () => {
      if (--connections === 0) deserted?.();
    });
  });
  try {
    await listen(http, port, host);
  } catch (error) {
    await handler.close(0);
    throw error;
  }
  const actual = (http.address() as AddressInfo).port; // a TCP server that listens has one
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let stopping = false;
  return {
    url: `http://${name}:${actual}${path}`,
    port: actual,
    ended,
    counts: () => ({ ...handler.counts(), connections }),
    stop() {
      if (stopping) return ended;
      stopping = true;
      void end(http, handler, graceMs)
        // Sockets are closed a turn after the server says that it is.
        .then(() => new Promise<void>((empty) => (connections === 0 ? empty() : (deserted = empty))))
        .then(resolve);
      return ended;
    },
  };
}

function listen(http: NodeServer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once("error", reject);
    http.listen(port, host, () => {
      http.off("error", reject);
      resolve();
    });
  });
}

/** Answers that are on their way may leave before what is still open is cut off. */
const FLUSH_MS = 500;

async function end(http: NodeServer, handler: HttpHandler, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => http.close(() => resolve()));
  await handler.close(graceMs).catch((error: unknown) => handler.endpoint.log("error", `shutdown: ${describeError(error)}`));
  http.closeIdleConnections();
  const cut = setTimeout(() => http.closeAllConnections(), FLUSH_MS);
  await closed;
  clearTimeout(cut);
}

const CONNECT_REFUSED = "HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, POST, DELETE\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

const NO_HEADERS: FlatHeaders = [];

/** A body that nobody reads is waited for if it is not longer than this; else the connection is closed. */
const WORTH_READING = 64 * 1024;

class NodeExchange implements HttpExchange {
  readonly method: string;
  readonly path: string | undefined;
  readonly query: string;
  readonly fields: Fields;
  extra = NO_HEADERS;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  /** The sender keeps the body back until it is asked for it. */
  readonly #waits: boolean;

  constructor(request: IncomingMessage, response: ServerResponse, waits: boolean) {
    this.#request = request;
    this.#response = response;
    this.#waits = waits;
    this.method = request.method ?? "";
    this.fields = readFields(request.rawHeaders);
    const target = originForm(request.url ?? "", this.fields.host);
    const at = target?.indexOf("?") ?? -1;
    this.path = at === -1 ? target : target?.slice(0, at);
    this.query = at === -1 ? "" : (target?.slice(at + 1) ?? "");
  }

  get port(): number | undefined {
    return this.#request.socket.localPort;
  }

  /** How long the body says it is; Infinity for one that does not say. */
  get #length(): number {
    const { contentLength } = this.fields;
    if (contentLength !== undefined) return Number(contentLength);
    return this.#request.headers["transfer-encoding"] === undefined ? 0 : Infinity;
  }

  /** A long body that nobody reads; or an upgrade that was asked for: Node's parser is out of step behind such a request. */
  get #mustClose(): boolean {
    return (!this.#request.complete && this.#length > WORTH_READING) || this.fields.upgrade !== undefined;
  }

  set onGone(gone: (() => void) | undefined) {
    if (gone !== undefined) this.#response.once("close", () => this.#response.writableFinished || gone());
  }

  readBody(limit: number, done: (body: string | 400 | 413) => void): void {
    const request = this.#request;
    if (this.#length > limit && this.fields.contentLength !== undefined) return done(413);
    if (this.#waits) this.#response.writeContinue();
    let bytes: Buffer = EMPTY;
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      const before = size;
      size += chunk.length;
      if (size > limit) {
        request.removeAllListeners("data").removeAllListeners("end").pause();
        return done(413);
      }
      if (before === 0) return void (bytes = chunk); // most bodies are one chunk
      // Into one buffer: a body of small chunks would cost a hundred times its size.
      if (bytes.length < size) bytes = grown(bytes, Math.min(2 * size, limit));
      chunk.copy(bytes, before);
    });
    request.on("end", () => {
      const body = bytes.subarray(0, size);
      done(isUtf8(body) ? body.toString() : 400);
    });
  }

  answer(status: number, headers: FlatHeaders, body = ""): void {
    const response = this.#response;
    if (response.headersSent) return void response.destroy();
    const all = this.extra.length === 0 ? [...headers] : [...headers, ...this.extra];
    if (status !== 204) all.push("Content-Length", String(Buffer.byteLength(body)));
    if (this.#mustClose) all.push("Connection", "close");
    response.writeHead(status, all);
    response.end(body);
  }

  stream(headers: FlatHeaders): EventSink {
    const close = this.fields.upgrade === undefined ? [] : ["Connection", "close"];
    this.#response.writeHead(200, [...headers, ...this.extra, ...close]);
    // The client sees that it is listened to, however long the first event takes.
    setImmediate(() => this.#response.writableEnded || this.#response.flushHeaders());
    return new NodeSink(this.#response);
  }
}

class NodeSink implements EventSink {
  onDrain: (() => void) | undefined;
  onGone: (() => void) | undefined;
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.on("drain", () => this.onDrain?.());
    // Whoever left while the token was checked has closed it already.
    if (response.closed) queueMicrotask(() => this.onGone?.());
    else response.once("close", () => this.onGone?.());
  }

  write(text: string): boolean {
    return this.#response.write(text);
  }

  end(last?: string): void {
    this.onDrain = this.onGone = undefined;
    this.#response.end(last);
  }

  cut(): void {
    this.onDrain = this.onGone = undefined;
    this.#response.destroy();
  }
}

const EMPTY = Buffer.alloc(0);

function grown(bytes: Buffer, size: number): Buffer {
  const larger = Buffer.allocUnsafe(size);
  bytes.copy(larger);
  return larger;
}

/** The target as a path; undefined when it names another authority than the Host header does. */
function originForm(target: string, host: string | undefined): string | undefined {
  if (target.startsWith("/")) return target;
  const [, authority, path] = /^http:\/\/([^/?#]*)(.*)$/i.exec(target) ?? [];
  return authority !== undefined && authority.toLowerCase() === host?.toLowerCase() ? path || "/" : undefined;
}
