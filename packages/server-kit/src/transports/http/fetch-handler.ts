// Web-standard requests as a face of the HTTP rules: for Deno, Bun, workers, and frameworks that speak Request and Response.
import type { Server } from "../../server/define.ts";
import type { EventSink, FlatHeaders, HttpExchange } from "./exchange.ts";
import { readFields, type Fields } from "./request-headers.ts";
import { HttpHandler, type HttpCounts, type HttpOptions } from "./handler.ts";

/** A server behind a function from request to response. */
export interface FetchHandler {
  (request: Request): Promise<Response>;
  counts(): HttpCounts;
  /** Takes nothing new, lets requests finish within the time (milliseconds, default 5,000), ends. */
  close(graceMs?: number): Promise<void>;
}

/**
 * Serves a server to whoever calls the function it gives. Whatever listens in front of it decides who can reach it: hosts
 * other than loopback must be named in `allowedHosts`.
 * @example
 * const handle = toFetch(server, { allowedHosts: ["mcp.example.com"], auth: bearerToken(secret) });
 * export default { fetch: handle };
 */
export function toFetch(server: Server, options: HttpOptions = {}): FetchHandler {
  const handler = new HttpHandler(server, options);
  const handle = (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    return new Promise((resolve) => handler.handle(new WebExchange(request, url, resolve)));
  };
  return Object.assign(handle, { counts: () => handler.counts(), close: (graceMs = 5000) => handler.close(graceMs) });
}

class WebExchange implements HttpExchange {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly port: number | undefined;
  readonly fields: Fields;
  extra: FlatHeaders = [];
  readonly #request: Request;
  readonly #resolve: (response: Response) => void;

  constructor(request: Request, url: URL, resolve: (response: Response) => void) {
    this.#request = request;
    this.#resolve = resolve;
    this.method = request.method;
    this.path = url.pathname;
    this.query = url.search.slice(1);
    this.port = url.protocol === "http:" ? Number(url.port || 80) : undefined;
    this.fields = readFields([...request.headers].flat());
    // Requests made by hand have no Host header; the address says the same.
    this.fields.host ??= url.host;
  }

  set onGone(gone: (() => void) | undefined) {
    if (gone === undefined) return;
    const { signal } = this.#request;
    if (signal.aborted) queueMicrotask(gone);
    else signal.addEventListener("abort", gone, { once: true });
  }

  readBody(limit: number, done: (body: string | 400 | 413) => void): void {
    if (Number(this.fields.contentLength) > limit) return done(413);
    const { body } = this.#request;
    if (body === null) return done("");
    void textOf(body, limit).then(done, () => done(400));
  }

  answer(status: number, headers: FlatHeaders, body = ""): void {
    this.#resolve(
      new Response(body === "" || this.method === "HEAD" ? null : body, { status, headers: pairs([...headers, ...this.extra]) }),
    );
  }

  stream(headers: FlatHeaders): EventSink {
    const sink = new WebSink();
    this.#resolve(new Response(sink.body, { status: 200, headers: pairs([...headers, ...this.extra]) }));
    return sink;
  }
}

async function textOf(body: ReadableStream<Uint8Array>, limit: number): Promise<string | 413> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let text = "";
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit) return 413;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function pairs(flat: FlatHeaders): [string, string][] {
  return flat.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, flat[at + 1] ?? ""]] : []));
}

/** How much may wait for a reader, in bytes, before it counts as slow. */
const QUEUE = 64 * 1024;

class WebSink implements EventSink {
  onDrain: (() => void) | undefined;
  onGone: (() => void) | undefined;
  readonly body: ReadableStream<Uint8Array>;
  readonly #encoder = new TextEncoder();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor() {
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        pull: () => this.onDrain?.(),
        cancel: () => {
          this.#controller = undefined;
          this.onGone?.();
        },
      },
      { highWaterMark: QUEUE, size: (chunk) => chunk.length },
    );
  }

  write(text: string): boolean {
    this.#controller?.enqueue(this.#encoder.encode(text));
    return (this.#controller?.desiredSize ?? 0) > 0;
  }

  end(last?: string): void {
    this.onDrain = this.onGone = undefined;
    if (last !== undefined && last !== "") this.write(last);
    this.#controller?.close();
    this.#controller = undefined;
  }

  cut(): void {
    this.onDrain = this.onGone = undefined;
    this.#controller?.error(new Error("the reader was too slow"));
    this.#controller = undefined;
  }
}
