// Both HTTP faces for stateless requests: answers can be read as they are sent, and dropped.
import { Agent, request, type ClientRequest, type IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { describe, expect } from "vitest";
import { toFetch } from "../../src/fetch.ts";
import type { Server } from "../../src/index.ts";
import { serveHttp, type HttpCounts, type ServeHttpOptions } from "../../src/node.ts";
import type { Json } from "../../src/protocol.ts";
import { Answer } from "./answer.ts";
import type { HttpRequest } from "./http-faces.ts";
import type { OpenRequest } from "./http-talk.ts";
import { asks, posting, type As } from "./stateless-message.ts";

/** How a face is asked and ended. */
interface Ways {
  readonly port: number;
  send(request: HttpRequest): OpenRequest;
  counts(): HttpCounts;
  stop(): Promise<void>;
}

/** A server that is served, and how to ask it. */
export class Place implements AsyncDisposable {
  readonly port: number;
  /** Sends what it is given, as it is. */
  readonly send: (request: HttpRequest) => OpenRequest;
  readonly counts: () => HttpCounts;
  /** Ends it, with the grace that it was opened with. */
  readonly stop: () => Promise<void>;

  constructor({ port, send, counts, stop }: Ways) {
    this.port = port;
    this.send = send;
    this.counts = counts;
    this.stop = stop;
  }

  begin(method: string, params?: Json, as: As = {}): OpenRequest {
    return this.send(posting(asks(method, params, as), as));
  }

  request(method: string, params?: Json, as?: As): Promise<Answer> {
    return this.begin(method, params, as).answer;
  }

  call(name: string, args: Json = {}, as?: As): Promise<Answer> {
    return this.request("tools/call", { name, arguments: args }, as);
  }

  /** The result of a request that is answered by one JSON body. */
  async result(method: string, params?: Json, as: As = {}): Promise<Json> {
    const answer = await this.request(method, params, as);
    const replyText = await answer.json();
    expect([answer.status, answer.type, replyText]).toEqual([
      200,
      "application/json",
      { jsonrpc: "2.0", id: as.id ?? 1, result: expect.any(Object) },
    ]);
    return replyText.result as Json;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

export interface StatelessFace {
  readonly name: string;
  open(server: Server, options?: ServeHttpOptions): Promise<Place>;
}

export const NODE: StatelessFace = {
  name: "node",
  async open(server, options) {
    const http = await serveHttp(server, { graceMs: 0, ...options, port: 0 });
    const agent = new Agent({ keepAlive: true });
    return new Place({
      port: http.port,
      send: (sent) => overSocket(http.port, agent, sent),
      counts: () => http.counts(),
      // The server closes the agent's sockets; what is on its way to them may still be read.
      stop: () => http.stop(),
    });
  },
};

export const WEB: StatelessFace = {
  name: "web",
  async open(server, { graceMs = 0, ...options } = {}) {
    const handle = toFetch(server, options);
    const port = 3920;
    return new Place({ port, send: (sent) => overWeb(handle, port, sent), counts: handle.counts, stop: () => handle.close(graceMs) });
  },
};

/** Runs the tests over each face. */
export const overBoth = (title: string, tests: (face: StatelessFace) => void): void =>
  describe.each([NODE, WEB].map((face) => [face.name, face] as const))(`${title} over %s`, (_name, face) => {
    tests(face);
  });

export function overSocket(port: number, agent: Agent, { method = "POST", path = "/mcp", headers = {}, body }: HttpRequest): OpenRequest {
  let sent: ClientRequest | undefined;
  const answer = new Promise<Answer>((resolve, reject) => {
    sent = request({ host: "127.0.0.1", port, method, path, agent }, (message) => resolve(new Answer(message))).on("error", reject);
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) sent.setHeader(name, value);
    sent.end(body);
  });
  answer.catch(() => undefined); // whoever awaits it hears of it
  return { answer, drop: () => sent?.destroy() };
}

function overWeb(handle: (request: Request) => Promise<Response>, port: number, parts: HttpRequest): OpenRequest {
  const { method = "POST", path = "/mcp", headers = {}, body } = parts;
  const gone = new AbortController();
  const all = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one): [string, string] => [name, one]),
  );
  const sent = new Request(`http://localhost:${port}${path}`, {
    method,
    headers: all,
    signal: gone.signal,
    ...(body !== undefined && { body: Buffer.from(body) }),
  });
  const answer = Promise.race([
    handle(sent).then(asIncoming),
    new Promise<never>((_, reject) => gone.signal.addEventListener("abort", () => reject(new Error("left before the answer")))),
  ]);
  answer.catch(() => undefined); // whoever awaits it hears of it
  return { answer, drop: () => gone.abort() };
}

/** A web answer in the clothes of node's, to be read in the same way. */
function asIncoming(response: Response): Answer {
  const body = response.body === null ? Readable.from([]) : Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
  let complete = false;
  body.on("end", () => (complete = true));
  const parts = { statusCode: response.status, headers: Object.fromEntries(response.headers) };
  return new Answer(Object.defineProperty(Object.assign(body, parts), "complete", { get: () => complete }) as unknown as IncomingMessage);
}
