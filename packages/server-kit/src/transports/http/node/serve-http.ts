// serveHttp: serves a server over Streamable HTTP with a listener of its own (node:http).
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server as NodeServer } from "node:http";
import { Server as SocketServer, type AddressInfo } from "node:net";
import { setImmediate as nextRound, setTimeout as sleep } from "node:timers/promises";
import { describeError } from "../../../protocol/errors.ts";
import type { Server } from "../../../runtime/define.ts";
import { isLoopback } from "../guard/host-guard.ts";
import { HttpHandler, type HttpOptions, type WithLogin } from "../handler.ts";
import { DEFAULT_HTTP_LIMITS, type HttpCounts } from "../http-limits.ts";
import { handleNode } from "./node-handler.ts";
import { listenOnSocket } from "./socket-file.ts";

/** How a server is served over HTTP with a listener of its own. */
export interface ServeHttpOptions extends HttpOptions {
  /** Address to listen on. Default `127.0.0.1`. Other addresses than loopback need `auth`. */
  host?: string;
  /** Port to listen on; 0 takes a free one. Default 3920. */
  port?: number;
  /** Path of a Unix socket, or name of a named pipe (Windows), in place of `host` and `port`. Only the user of this process can connect to it. */
  socket?: string;
  /** Serve other machines without authentication: everyone who reaches the port may use the server. Default false. */
  dangerouslyAllowUnauthenticated?: boolean;
  /** How long requests in flight may take after `stop`, in milliseconds. Default 5,000. */
  graceMs?: number;
  /** Finds the address of a client behind proxies, for logs and limits of each address. Default: the address of the connection. */
  clientAddress?: (request: IncomingMessage) => string | undefined;
}

/** A server that listens. */
export interface HttpServer {
  readonly url: string;
  /** 0 on a socket. */
  readonly port: number;
  /** Resolves when the server has stopped and all work is done or undone. */
  readonly ended: Promise<void>;
  counts(): HttpCounts & { connections: number };
  /**
   * Refuses new requests, lets those in flight finish within the grace time, then ends them. Before that it serves for `drainMs` (default 0)
   * and closes each connection after its response, so that no proxy keeps one that is about to close.
   */
  stop(drainMs?: number): Promise<void>;
}

/**
 * Serves a server over Streamable HTTP. Rejects when it cannot listen on the port, and with a TypeError on options that would
 * expose the server.
 * @example
 * const { url, stop } = await serveHttp(server, { port: 0 });
 */
export async function serveHttp(server: Server, options: WithLogin<ServeHttpOptions, IncomingMessage> = {}): Promise<HttpServer> {
  const { socket, port = 3920, path = "/mcp", graceMs = 5000 } = options;
  const host = socket === undefined ? (options.host ?? "127.0.0.1") : "localhost";
  const urlHost = host.includes(":") ? `[${host}]` : host;
  if (!isLoopback(urlHost) && options.auth === undefined && options.dangerouslyAllowUnauthenticated !== true) {
    throw new TypeError(`Refusing to listen on ${host} without authentication: it is not a loopback address. Pass auth.`);
  }
  const handler = new HttpHandler(server, { ...options, host: urlHost });
  const http = createListener(handler, options);
  const connections = countConnections(http);
  try {
    await handler.joined(JOIN_MS);
    await (socket === undefined ? once(http.listen(port, host), "listening") : listenOnSocket(http, socket));
  } catch (error) {
    await handler.close(0);
    throw error;
  }
  const actualPort = socket === undefined ? (http.address() as AddressInfo).port : 0; // a TCP server that listens has one
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let isStopping = false;
  const stop = async (drainMs = 0): Promise<void> => {
    if (!isStopping) {
      isStopping = true;
      await close(http, handler, { graceMs, drainMs });
      // Node reports the server as closed one turn before its sockets.
      await connections.none();
      resolve();
    }
    return ended;
  };
  return {
    url: `http://${urlHost}${socket === undefined ? `:${actualPort}` : ""}${path}`,
    port: actualPort,
    ended,
    counts: () => ({ ...handler.counts(), connections: connections.count() }),
    stop,
  };
}

/** How long the start waits for other nodes that do not answer. */
const JOIN_MS = 2000;

/**
 * An idle connection closes after 30 seconds by the header Keep-Alive, and 45 seconds later for proxies, which do not read it and commonly keep
 * one for 60 seconds: a request that they send while it closes is lost.
 */
const IDLE = { keepAliveTimeout: 30_000, keepAliveTimeoutBuffer: 45_000 };

function createListener(handler: HttpHandler, { clientAddress, ...options }: WithLogin<ServeHttpOptions, IncomingMessage>): NodeServer {
  const limits = { ...DEFAULT_HTTP_LIMITS, ...options.http };
  const headersTimeout = Math.min(limits.headersMs, limits.bodyMs); // Node demands that it is the smaller one
  const http = createServer(
    { headersTimeout, requestTimeout: limits.bodyMs, connectionsCheckingInterval: 1000, ...IDLE },
    (request, response) => handleNode(handler, request, response, { clientAddress }),
  );
  http.maxConnections = limits.connections;
  http.maxHeadersCount = 0; // the guard counts them: Node would drop some silently
  http.timeout = 2 * limits.stalledMs;
  // By default Node asks for the body before the request is checked.
  http.on("checkContinue", (request, response) => handleNode(handler, request, response, { clientAddress, expectsContinue: true }));
  http.on("connect", (_request, socket) => {
    socket.on("error", () => undefined);
    socket.end(CONNECT_REFUSED, () => socket.destroy());
  });
  return http;
}

const CONNECT_REFUSED = "HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, POST, DELETE\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/** Counts open sockets; `none` resolves when there is none. */
function countConnections(http: NodeServer): { count(): number; none(): Promise<void> } {
  let count = 0;
  let onNone: (() => void) | undefined;
  http.on("connection", (socket) => {
    count++;
    socket.on("close", () => {
      if (--count === 0) onNone?.();
    });
  });
  const none = (): Promise<void> => new Promise((resolve) => (count === 0 ? resolve() : (onNone = resolve)));
  return { count: () => count, none };
}

/** Requests on connections that were accepted last arrive within this time. */
const ARRIVAL_MS = 500;
/** A round of the event loop that takes less has brought nothing. */
const QUIET_MS = 0.3;

/** Waits for a quiet round of the event loop: a connection that the system has taken and Node has not accepted yet would be reset. */
async function quietRound(): Promise<void> {
  for (let rounds = 200, before = -Infinity; rounds > 0 && performance.now() - before > QUIET_MS; rounds--) {
    before = performance.now();
    await nextRound();
  }
}

/** How long responses may take to leave before open connections are closed. */
const FLUSH_MS = 500;

async function close(http: NodeServer, handler: HttpHandler, { graceMs, drainMs }: Record<"graceMs" | "drainMs", number>): Promise<void> {
  http.maxRequestsPerSocket = 1;
  if (drainMs > 0) await sleep(drainMs).then(quietRound);
  // Stops to listen. From Node 26 on `http.close` closes connections too whose first request is on its way.
  const closed = new Promise<void>((resolve) => SocketServer.prototype.close.call(http, () => resolve()));
  if (drainMs > 0) await sleep(ARRIVAL_MS);
  await handler.close(graceMs).catch((error: unknown) => handler.runtime.log("error", `shutdown: ${describeError(error)}`));
  http.close();
  setTimeout(() => http.closeAllConnections(), FLUSH_MS).unref();
  return closed;
}
