// toNodeHandler: serves a server inside an HTTP server of node:http that listens already.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Server } from "../../../runtime/define.ts";
import { HttpHandler, type HttpOptions, type WithLogin } from "../handler.ts";
import type { HttpCounts } from "../http-limits.ts";
import { HttpError, respondError } from "../responses.ts";
import { NodeExchange, type NodeExchangeOptions } from "./node-exchange.ts";

/** A server inside an HTTP server of `node:http`, or of `node:http2`. */
export interface NodeHandler {
  /** `body`: where the app has read it and the request does not have it as `body`. A function, such as the `next` of Express, is not called. */
  (request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse, body?: unknown): void;
  counts(): HttpCounts;
  /** Refuses new requests, lets those in flight finish within the time (milliseconds, default 5,000), then ends them. */
  close(graceMs?: number): Promise<void>;
}

/**
 * Serves a server inside an HTTP server of `node:http` that listens already, also behind Express and the like. A body that the app has
 * read, headers that it has changed and a prefix that it has removed count. Pass it the requests to `options.path` (default `/mcp`); it
 * answers 404 on other paths. The program that listens decides who can reach the server: name hosts other than loopback in `allowedHosts`.
 * Time limits of sockets are its own.
 * @example
 * const mcp = toNodeHandler(server);
 * createServer((request, response) => (request.url === "/mcp" ? mcp(request, response) : app(request, response)));
 */
export function toNodeHandler(server: Server, options: WithLogin<HttpOptions, IncomingMessage> = {}): NodeHandler {
  const handler = new HttpHandler(server, options);
  // The compatibility API of node:http2 has the members that are used.
  const handle = (request: unknown, response: unknown, body?: unknown): void =>
    handleNode(handler, request as IncomingMessage, response as ServerResponse, {
      isMounted: true,
      body: typeof body === "function" ? undefined : body,
    });
  return Object.assign(handle, { counts: () => handler.counts(), close: (graceMs = 5000) => handler.close(graceMs) });
}

export function handleNode(
  handler: HttpHandler,
  request: IncomingMessage,
  response: ServerResponse,
  options: NodeExchangeOptions = {},
): void {
  const handle = (): void => {
    const exchange = new NodeExchange(request, response, options);
    const problem = exchange.framingProblem;
    if (problem === undefined) void handler.handle(exchange);
    else respondError(exchange, new HttpError(400, problem));
  };
  // A pipelined request waits for its turn, or a client that does not read would fill the memory.
  if ((response.socket as object | null) === null) response.once("socket", handle);
  else handle();
}
