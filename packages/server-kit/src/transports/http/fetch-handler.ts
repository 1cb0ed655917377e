// toFetch: serves a server as a function from Request to Response, for Deno, Bun, workers, and frameworks on web standards.
import type { Server } from "../../runtime/define.ts";
import { httpRequestInfo, type HttpRequestInfo } from "../../protocol/http-request.ts";
import { BodyBuffer } from "./guard/body-budget.ts";
import { ClosableExchange, type EventSink, type HeaderList, type HttpExchange } from "./http-exchange.ts";
import type { ByteBudget } from "./caller.ts";
import { HttpHandler, type HttpOptions, type WithLogin } from "./handler.ts";
import type { HttpCounts } from "./http-limits.ts";
import { parseHeaders, type RequestHeaders } from "./request-headers.ts";
import { bodyNotUtf8, bodyReadBefore, bodyTooLarge, HttpError } from "./responses.ts";

/** A server as a function from request to response. */
export interface FetchHandler {
  (request: Request): Promise<Response>;
  counts(): HttpCounts;
  /** Refuses new requests, lets those in flight finish within the time (milliseconds, default 5,000), then ends them. */
  close(graceMs?: number): Promise<void>;
}

/**
 * Serves a server as a function. The program that listens decides who can reach it: name hosts other than loopback in
 * `allowedHosts`.
 * @example
 * const handle = toFetch(server, { allowedHosts: ["mcp.example.com"], auth: bearerToken(secret) });
 * export default { fetch: handle };
 */
export function toFetch(server: Server, options: WithLogin<HttpOptions, Request> = {}): FetchHandler {
  const handler = new HttpHandler(server, { ...options, http: { ...PATIENCE, ...options.http } });
  const handle = (request: Request): Promise<Response> =>
    new Promise((resolve) => void handler.handle(new WebExchange(request, new URL(request.url), resolve)));
  return Object.assign(handle, { counts: () => handler.counts(), close: (graceMs = 5000) => handler.close(graceMs) });
}

/** Bun ends a response that has sent nothing for 10 seconds. */
const PATIENCE = { silentMs: 5000, keepAliveMs: 5000 };

/** Bytes that may wait for a client before it counts as slow. */
const HIGH_WATER_MARK = 64 * 1024;

const encoder = new TextEncoder();

type StreamController = ReadableStreamDefaultController<Uint8Array>;

class WebExchange extends ClosableExchange implements HttpExchange, EventSink {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly port: number | undefined;
  readonly remoteAddress = undefined;
  readonly headers: RequestHeaders;
  extraHeaders: HeaderList = [];
  readonly #request: Request;
  readonly #resolve: (response: Response) => void;
  #http: HttpRequestInfo | undefined;
  /** Set while the response is an open event stream. */
  #controller: StreamController | undefined;

  constructor(request: Request, url: URL, resolve: (response: Response) => void) {
    super();
    this.#request = request;
    this.#resolve = resolve;
    this.method = request.method;
    this.path = url.pathname;
    this.query = url.search.slice(1);
    this.port = url.protocol === "http:" ? Number(url.port || 80) : undefined;
    this.headers = parseHeaders([...request.headers].flat());
    // A Request made by hand has no Host header; its URL names the host.
    this.headers.host ??= url.host;
  }

  get source(): Request {
    return this.#request;
  }

  get http(): HttpRequestInfo {
    return (this.#http ??= httpRequestInfo(this.#request.headers, this.query));
  }

  protected watchClose(): void {
    const { signal } = this.#request;
    const closed = (): void => this.listener?.disconnected();
    if (signal.aborted) queueMicrotask(closed);
    else signal.addEventListener("abort", closed, { once: true });
  }

  async readBody(maxBytes: number, budget: ByteBudget): Promise<string> {
    if (Number(this.headers.contentLength) > maxBytes) throw bodyTooLarge(maxBytes);
    const body = unreadBody(this.#request);
    if (body === undefined) throw bodyReadBefore("pass it a clone of the request that is not read");
    return body === null ? "" : await readText(body, new BodyBuffer({ maxBytes, budget }));
  }

  respond(status: number, headers: HeaderList, body = ""): void {
    this.listener = undefined;
    const hasBody = body !== "" && this.method !== "HEAD";
    this.#resolve(new Response(hasBody ? body : null, { status, headers: this.#responseHeaders(headers) }));
  }

  // ── event stream ──────────────────────────────────────────────────────────────────────────────────────────────────

  openStream(headers: HeaderList): EventSink {
    const source = {
      start: (controller: StreamController) => void (this.#controller = controller),
      pull: () => {
        if (this.#controller !== undefined) this.listener?.drained?.();
      },
      cancel: () => {
        this.#controller = undefined;
        this.listener?.disconnected();
      },
    };
    const body = new ReadableStream<Uint8Array>(source, { highWaterMark: HIGH_WATER_MARK, size: (chunk) => chunk.length });
    this.#resolve(new Response(body, { status: 200, headers: this.#responseHeaders(headers) }));
    return this;
  }

  write(text: string): boolean {
    this.#controller?.enqueue(encoder.encode(text));
    return (this.#controller?.desiredSize ?? 0) > 0;
  }

  end(last = ""): void {
    if (last !== "") this.write(last);
    this.#leaveStream()?.close();
  }

  abort(): void {
    this.#leaveStream()?.error(new Error("Stream aborted: the client read too slowly."));
  }

  #leaveStream(): StreamController | undefined {
    const controller = this.#controller;
    this.listener = this.#controller = undefined;
    return controller;
  }

  #responseHeaders(headers: HeaderList): [string, string][] {
    const all = [...headers, ...this.extraHeaders];
    return all.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, all[at + 1] ?? ""]] : []));
  }
}

/** The body; undefined when the app has read it or is reading it: the requests of some adapters then throw when they are looked at. */
function unreadBody(request: Request): Request["body"] | undefined {
  try {
    const { body, bodyUsed } = request;
    return bodyUsed || body?.locked === true ? undefined : body;
  } catch {
    return undefined;
  }
}

async function readText(stream: ReadableStream<Uint8Array>, body: BodyBuffer): Promise<string> {
  try {
    for await (const chunk of stream) {
      const refusal = body.add(chunk);
      if (refusal !== undefined) throw refusal;
    }
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body.bytes);
  } catch (error) {
    throw error instanceof HttpError ? error : bodyNotUtf8();
  } finally {
    body.release();
  }
}
