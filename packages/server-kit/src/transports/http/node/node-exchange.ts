// NodeExchange: a request and response of node:http for the rules of the HTTP transport.
import { isUtf8 } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import { httpRequestInfo, type HttpRequestInfo } from "../../../protocol/http-request.ts";
import { BodyBuffer } from "../guard/body-budget.ts";
import { ClosableExchange, type EventSink, type HeaderList, type HttpExchange } from "../http-exchange.ts";
import type { ByteBudget } from "../caller.ts";
import { parseHeaders, type RequestHeaders } from "../request-headers.ts";
import { bodyNotUtf8, bodyReadBefore, bodyTooLarge, HttpError } from "../responses.ts";

const NO_HEADERS: HeaderList = [];

/** A request as frameworks pass it on, with what they add. */
type FrameworkRequest = IncomingMessage & { readonly originalUrl?: unknown; readonly body?: unknown };

export interface NodeExchangeOptions {
  /** The client waits for "100 Continue" before it sends the body. */
  readonly expectsContinue?: boolean;
  /** An app has had the request before: it may have read the body, changed headers and removed a prefix of the path. */
  readonly isMounted?: boolean;
  /** The body, where the app has read it and passes it on. Default: the member `body` of the request. */
  readonly body?: unknown;
  /** Address of the client behind a proxy. Default: that of the connection. */
  readonly clientAddress?: ((request: IncomingMessage) => string | undefined) | undefined;
}

/** An unread body up to this size is awaited; beyond it the connection is closed. */
const MAX_UNREAD_BYTES = 64 * 1024;

export class NodeExchange extends ClosableExchange implements HttpExchange, EventSink {
  readonly method: string;
  readonly path: string | undefined;
  readonly originalPath: string | undefined;
  readonly query: string;
  readonly headers: RequestHeaders;
  extraHeaders = NO_HEADERS;
  readonly #request: FrameworkRequest;
  readonly #response: ServerResponse;
  readonly #options: NodeExchangeOptions;
  #http: HttpRequestInfo | undefined;

  constructor(request: FrameworkRequest, response: ServerResponse, options: NodeExchangeOptions = {}) {
    super();
    this.#request = request;
    this.#response = response;
    this.#options = options;
    this.method = request.method ?? "";
    this.headers = parseHeaders(options.isMounted === true ? currentHeaders(request) : request.rawHeaders);
    // An app that has read the body has decompressed it, too.
    if (options.isMounted === true && request.readableEnded) this.headers.contentEncoding = undefined;
    const target = toOriginForm(request.url ?? "", this.headers.host);
    const at = target?.indexOf("?") ?? -1;
    this.path = at === -1 ? target : target?.slice(0, at);
    this.query = at === -1 ? "" : (target?.slice(at + 1) ?? "");
    this.originalPath = typeof request.originalUrl === "string" ? request.originalUrl.replace(/\?.*/s, "") : undefined;
  }

  get source(): IncomingMessage {
    return this.#request;
  }

  get http(): HttpRequestInfo {
    return (this.#http ??= httpRequestInfo(Object.entries(this.#request.headers), this.query));
  }

  get port(): number | undefined {
    return this.#request.socket.localPort;
  }

  get remoteAddress(): string | undefined {
    return this.#options.clientAddress === undefined ? this.#request.socket.remoteAddress : this.#options.clientAddress(this.#request);
  }

  protected watchClose(): void {
    const onClose = (): void => this.listener?.disconnected();
    // A client that left while its token was verified has closed the response before.
    if (this.#response.closed) queueMicrotask(onClose);
    else this.#response.once("close", onClose);
  }

  // ── request ───────────────────────────────────────────────────────────────────────────────────────────────────────

  readBody(maxBytes: number, budget: ByteBudget): Promise<string> {
    // After the body of a mounted request nothing follows: waiting for it would never end.
    if (this.#options.isMounted === true && this.#request.readableEnded) return this.#readByApp(maxBytes);
    if (this.headers.contentLength !== undefined && this.#bodyLength > maxBytes) return Promise.reject(bodyTooLarge(maxBytes));
    if (this.#options.expectsContinue === true) this.#response.writeContinue();
    return readText(this.#request, new BodyBuffer({ maxBytes, budget, allocate: Buffer.allocUnsafe }));
  }

  /** The body that the app has read. */
  async #readByApp(maxBytes: number): Promise<string> {
    const { body = this.#request.body } = this.#options;
    if (body === undefined) throw bodyReadBefore("mount it before what reads bodies, or pass the body as third argument");
    const text = typeof body === "string" ? body : body instanceof Uint8Array ? Buffer.from(body).toString() : JSON.stringify(body);
    if (Buffer.byteLength(text) > maxBytes) throw bodyTooLarge(maxBytes);
    return text;
  }

  /** The declared length of the body; Infinity for a chunked body. */
  get #bodyLength(): number {
    const { contentLength } = this.headers;
    if (contentLength !== undefined) return Number(contentLength);
    return this.#request.headers["transfer-encoding"] === undefined ? 0 : Infinity;
  }

  /**
   * Why a proxy could see another end of this request than Node does; undefined where it could not.
   * https://www.rfc-editor.org/rfc/rfc9112#section-6.1
   */
  get framingProblem(): string | undefined {
    const { httpVersion, headers } = this.#request;
    const coding = headers["transfer-encoding"];
    if (coding === undefined) return undefined;
    if (httpVersion !== "1.1") return "Transfer-Encoding not allowed in HTTP/1.0: expected Content-Length.";
    return coding.toLowerCase() === "chunked" ? undefined : "Unsupported Transfer-Encoding: expected chunked alone.";
  }

  // ── response ──────────────────────────────────────────────────────────────────────────────────────────────────────

  respond(status: number, headers: HeaderList, body = ""): void {
    this.listener = undefined;
    const response = this.#response;
    if (response.headersSent) return void response.destroy();
    const all = [...headers, ...this.extraHeaders];
    if (status !== 204) all.push("Content-Length", String(Buffer.byteLength(body)));
    if (this.#mustClose) all.push("Connection", "close");
    response.writeHead(status, all);
    response.end(body);
  }

  /** Node's parser is out of step after an upgrade request; a long body that was not read would have to be awaited. */
  get #mustClose(): boolean {
    if (this.framingProblem !== undefined) return true;
    return this.headers.upgrade !== undefined || (!this.#request.complete && this.#bodyLength > MAX_UNREAD_BYTES);
  }

  openStream(headers: HeaderList): EventSink {
    const response = this.#response;
    const close = this.headers.upgrade === undefined ? [] : ["Connection", "close"];
    response.writeHead(200, [...headers, ...this.extraHeaders, ...close]);
    response.on("drain", () => {
      if (!response.writableEnded) this.listener?.drained?.();
    });
    // Tells the client that the stream is open, however long the first event takes.
    setImmediate(() => response.writableEnded || response.flushHeaders());
    return this;
  }

  write(text: string): boolean {
    return this.#response.write(text);
  }

  end(last?: string): void {
    this.listener = undefined;
    this.#response.end(last);
  }

  abort(): void {
    this.listener = undefined;
    this.#response.destroy();
  }
}

/** Header names and values in turn as they came, but for those that a middleware has added, changed or removed. */
function currentHeaders({ headers, rawHeaders }: IncomingMessage): string[] {
  const pairs = rawHeaders.flatMap((name, at): [string, string][] =>
    at % 2 === 0 ? [[name.toLowerCase(), rawHeaders[at + 1] ?? ""]] : [],
  );
  const byName = Map.groupBy(pairs, ([name]) => name);
  return Object.entries(headers).flatMap(([name, now]) => {
    const came = (byName.get(name) ?? []).map(([, value]) => value);
    const value = Array.isArray(now) ? now.join(", ") : (now ?? "");
    const isUnchanged = came[0] === value || came.join(", ") === value || came.join("; ") === value;
    return (isUnchanged ? came : [value]).flatMap((one) => [name, one]);
  });
}

/** The path and query of a request target; undefined when it names another host than the Host header. */
function toOriginForm(target: string, host: string | undefined): string | undefined {
  if (target.startsWith("/")) return target;
  const [, authority, path] = /^http:\/\/([^/?#]*)(.*)$/i.exec(target) ?? [];
  return authority !== undefined && authority.toLowerCase() === host?.toLowerCase() ? path || "/" : undefined;
}

/** Reads a body. What it takes of the budget is given back in any case, when the connection ends at the latest. */
function readText(request: IncomingMessage, body: BodyBuffer): Promise<string> {
  return new Promise((resolve, reject) => {
    request.on("data", (chunk: Buffer) => {
      const refusal = body.add(chunk);
      if (refusal === undefined) return;
      request.removeAllListeners("data").removeAllListeners("end").pause();
      body.release();
      reject(refusal);
    });
    request.on("end", () => {
      const { bytes } = body;
      if (isUtf8(bytes)) resolve(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
      else reject(bodyNotUtf8());
      body.release();
    });
    request.on("close", () => {
      body.release();
      if (!request.complete) reject(new HttpError(400, "Request body incomplete."));
    });
  });
}
