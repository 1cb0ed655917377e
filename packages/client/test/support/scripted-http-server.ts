// A server on loopback, controlled by the test: it receives each request and sends any answer.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isObject, type Json } from "@oarlock/server-kit/protocol";

/** One request as it came. */
export interface Seen {
  http: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The message in a POST, {} elsewhere. */
  message: Json;
  /** When it came, in milliseconds. */
  at: number;
}

/** Answers a request; false leaves it to the usual. */
export type Act = (seen: Seen, response: ServerResponse) => boolean | void | Promise<boolean | void>;

export const SESSION = "session-id-that-is-secret";

export class ScriptedHttpServer implements AsyncDisposable {
  readonly url: string;
  readonly seen: Seen[] = [];
  readonly #http: Server;

  private constructor(http: Server) {
    this.#http = http;
    this.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  }

  /** Usual are a session, answers in JSON with the request's params, no standing stream, and DELETE. */
  static async start(
    act: Act = () => false,
    options: { revision?: string; session?: string | undefined } = {},
  ): Promise<ScriptedHttpServer> {
    const http = createServer((request, response) => void played.#handle(request, response, act, { session: SESSION, ...options }));
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    const played = new ScriptedHttpServer(http);
    return played;
  }

  async #handle(
    request: IncomingMessage,
    response: ServerResponse,
    act: Act,
    options: { revision?: string; session?: string | undefined },
  ): Promise<void> {
    const at = performance.now();
    let body = "";
    for await (const text of request.setEncoding("utf8")) body += text;
    const message: unknown = body === "" ? {} : JSON.parse(body);
    const seen: Seen = {
      http: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      message: isObject(message) ? message : { batch: message },
      at,
    };
    this.seen.push(seen);
    if ((await act(seen, response)) !== false) return;
    if (seen.http === "GET") return void response.writeHead(405).end();
    if (seen.http === "DELETE") return void response.writeHead(204).end();
    const { id, method, params } = seen.message;
    if (method === "initialize") {
      const { protocolVersion } = params as Json;
      const capabilities = { tools: {}, resources: { subscribe: true }, logging: {} };
      const result = { protocolVersion: options.revision ?? protocolVersion, capabilities, serverInfo: { name: "played", version: "1" } };
      if (options.session !== undefined) response.setHeader("MCP-SESSION-ID", options.session);
      return json(response, { id, result });
    }
    if (id === undefined || method === undefined) return void response.writeHead(202).end();
    json(response, { id, result: { content: [], params } });
  }

  /** What came by this HTTP method, or with this method of the protocol. */
  of(method: string): Seen[] {
    return this.seen.filter(({ http, message }) => http === method || message.method === method);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }
}

export function json(response: ServerResponse, message: Json, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(text(message));
}

/** Begins an event stream; each text goes out by itself, as it is. */
export function events(response: ServerResponse, ...texts: string[]): ServerResponse {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" }).flushHeaders();
  for (const one of texts) response.write(one);
  return response;
}

/** A message as an event. */
export function event(message: Json, id?: string): string {
  return `${id === undefined ? "" : `id: ${id}\n`}data: ${text(message)}\n\n`;
}

export function text(message: Json): string {
  return JSON.stringify({ jsonrpc: "2.0", ...message });
}
