// Both faces of the HTTP rules behind one door, so that the same tests run over sockets and over web-standard requests.
import { Agent, request } from "node:http";
import { describe, expect } from "vitest";
import { toFetch } from "../../src/fetch.ts";
import type { Server } from "../../src/index.ts";
import { serveHttp, type HttpCounts, type ServeHttpOptions } from "../../src/node.ts";
import { NEWEST_HANDSHAKE, type Json } from "../../src/protocol.ts";
import { initialize } from "./http-talk.ts";
import { call, words } from "./sample.ts";

export interface HttpRequest {
  method?: string;
  path?: string;
  /** Sent as they stand, a list as several headers of one name; undefined leaves one out. A good Host is added when there is none. */
  headers?: Record<string, string | readonly string[] | undefined>;
  body?: string | Uint8Array;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Served extends AsyncDisposable {
  readonly port: number;
  send(request: HttpRequest): Promise<HttpResponse>;
  counts(): HttpCounts;
}

export interface Face {
  readonly name: string;
  serve(server: Server, options?: ServeHttpOptions): Promise<Served>;
}

export const FACES: readonly Face[] = [
  {
    name: "node",
    async serve(server, options) {
      const http = await serveHttp(server, { graceMs: 0, ...options, port: 0 });
      const agent = new Agent({ keepAlive: true });
      return {
        port: http.port,
        send: (sent) => overSocket(http.port, sent, agent),
        counts: () => http.counts(),
        [Symbol.asyncDispose]: () => (agent.destroy(), http.stop()),
      };
    },
  },
  {
    name: "web",
    async serve(server, options) {
      const handle = toFetch(server, options);
      const port = 3920;
      return {
        port,
        send: (sent) => overWeb(handle, port, sent),
        counts: () => handle.counts(),
        [Symbol.asyncDispose]: () => handle.close(0),
      };
    },
  },
];

/** Runs the tests over each face. */
export function overFaces(title: string, tests: (face: Face) => void): void {
  describe.each(FACES.map((face) => [face.name, face] as const))(`${title} over %s`, (_name, face) => {
    tests(face);
  });
}

/** One request, on a socket of its own if no agent is given. */
export function overSocket(
  port: number,
  { method = "POST", path = "/mcp", headers = {}, body }: HttpRequest,
  agent: Agent | false = false,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, method, path, agent, setHost: false }, (message) => {
      let text = "";
      message.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      message.on("error", reject).on("end", () => {
        const had = Object.entries(message.headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value]),
        );
        resolve({ status: message.statusCode ?? 0, headers: new Headers(had), text });
      });
    });
    sent.on("error", reject);
    if (!("host" in headers)) sent.setHeader("host", `localhost:${port}`);
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) sent.setHeader(name, value);
    sent.end(body);
  });
}

async function overWeb(
  handle: (request: Request) => Promise<Response>,
  port: number,
  { method = "POST", path = "/mcp", headers = {}, body }: HttpRequest,
): Promise<HttpResponse> {
  const all = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one): [string, string] => [name, one]),
  );
  const response = await handle(
    new Request(`http://localhost:${port}${path}`, { method, headers: all, ...(body !== undefined && { body: Buffer.from(body) }) }),
  );
  return { status: response.status, headers: response.headers, text: await response.text() };
}

// ── what well-behaved clients send ────────────────────────────────────────────────────────────────────────────────

export const BOTH = "application/json, text/event-stream";

/** A POST of a message, with its good headers. */
export const post = (
  message: unknown,
  headers: HttpRequest["headers"] = {},
): HttpRequest & { headers: NonNullable<HttpRequest["headers"]> } => ({
  headers: { accept: BOTH, "content-type": "application/json", ...headers },
  body: typeof message === "string" ? message : JSON.stringify(message),
});

export const json = ({ text }: HttpResponse): Json => JSON.parse(text) as Json;

/** The answer to what HTTP refuses: a JSON-RPC error without an id. */
export const problem = (code = -32600): Json => ({ jsonrpc: "2.0", error: { code, message: expect.any(String) } });

/** Opens a session; gives the headers of whatever is sent in it. */
export async function openSession(
  served: Served,
  revision: string = NEWEST_HANDSHAKE,
  headers: HttpRequest["headers"] = {},
): Promise<Record<string, string>> {
  const response = await served.send(post(initialize(revision), headers));
  expect(json(response)).toMatchObject({ result: { protocolVersion: revision } });
  return { ...(headers as Record<string, string>), "mcp-session-id": response.headers.get("mcp-session-id") ?? "none" };
}

/** After every case, a new client gets the right response to a request. */
export async function servesOn(served: Served, headers: HttpRequest["headers"] = {}): Promise<void> {
  const session = await openSession(served, NEWEST_HANDSHAKE, headers);
  expect(json(await served.send(post(call(1, "echo", { message: "still here" }), session)))).toEqual(words(1, "still here"));
  expect((await served.send({ method: "DELETE", headers: session })).status).toBe(204);
}
