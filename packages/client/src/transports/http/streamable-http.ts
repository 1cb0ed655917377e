// Streamable HTTP of revisions with a handshake: each message is a POST, and the server sends its messages on streams.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
import type { Id } from "@oarlock/server-kit/protocol";
import type { OutgoingMessage, Transport } from "../../connection/transport.ts";
import { asError, HttpStatusError, InterruptedError } from "../../errors.ts";
import { isResponseTo } from "./error-body.ts";
import type { HttpEndpoint } from "./http-endpoint.ts";
import { HttpExchange } from "./http-exchange.ts";
import { discardBody, mediaType, noResponse, type Body } from "./response-body.ts";
import { readResumableStream } from "./resumable-stream.ts";
import { SendQueue } from "./send-queue.ts";
import { isExpired, sessionHeaders, Sessions, type Session } from "./session.ts";
import { postResponse, untilAvailable } from "./until-available.ts";

export interface HttpOptions {
  /** Time limit of closing, in milliseconds. Default 5,000. */
  graceMs?: number;
  onFault?: ((message: string) => void) | undefined;
}

const DEFAULT_GRACE_MS = 5000;
/** Time limit for the server to accept a notification or a response. */
export const ACCEPT_TIMEOUT_MS = 30_000;

export class StreamableHttp implements Transport {
  readonly network = "tcp";
  onText: Transport["onText"];
  onClose: Transport["onClose"];
  onRequestLost: NonNullable<Transport["onRequestLost"]> = () => undefined;
  readonly #endpoint: HttpEndpoint;
  readonly #options: HttpOptions;
  readonly #queue = new SendQueue();
  readonly #sessions = new Sessions();
  readonly #exchanges = new Map<Id, HttpExchange>();
  readonly #closing = new AbortController();
  #standaloneStream = new AbortController();
  #closed: Promise<void> | undefined;

  constructor(endpoint: HttpEndpoint, options: HttpOptions) {
    this.#endpoint = endpoint;
    this.#options = options;
  }

  set onSessionExpired(initialize: () => Promise<void>) {
    this.#sessions.initialize = initialize;
  }

  send(text: string, { id, method }: OutgoingMessage = {}): void {
    if (this.#closed !== undefined) return;
    if (method === undefined) void this.#sendResponse(text);
    else if (id === undefined) this.#enqueueNotification(text, method);
    else {
      const exchange = new HttpExchange(id, method, text);
      this.#exchanges.set(id, exchange);
      void this.#sendRequest(exchange);
    }
  }

  requestSettled(id: Id, isAbandoned: boolean): void {
    this.#exchanges.get(id)?.settle(isAbandoned);
  }

  revisionNegotiated(revision: string): void {
    this.#sessions.completeHandshake(revision);
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#shutDown());
  }

  // ── requests ──────────────────────────────────────────────────────────────────────────────────────────────────────

  async #sendRequest(exchange: HttpExchange): Promise<void> {
    const { id, method, text, signal } = exchange;
    try {
      if (method === "initialize") {
        const response = await this.#post(text, {}, signal);
        const session = this.#sessions.readOffer(response);
        if (session.id !== undefined) this.#endpoint.addSecret(session.id);
        await this.#receive(exchange, response, session);
      } else {
        await this.#queue.whenEmpty();
        if (!exchange.isSettled) await this.#sendInSession(this.#sessions.current, exchange);
      }
    } catch (error) {
      this.onRequestLost(id, asError(error));
    } finally {
      exchange.abort();
      this.#exchanges.delete(id);
    }
  }

  /** Sends a request in this session, and once more in a new session if this one has expired. */
  async #sendInSession(session: Session, exchange: HttpExchange): Promise<void> {
    const { text, signal } = exchange;
    const response = await this.#post(text, sessionHeaders(session), signal);
    if (!(await isExpired(response, session))) return this.#receive(exchange, response, session);
    await discardBody(response);
    await this.#renew(session);
    await this.#queue.whenEmpty();
    const renewed = this.#sessions.current;
    if (!exchange.isSettled) await this.#receive(exchange, await this.#post(text, sessionHeaders(renewed), signal), renewed);
  }

  async #receive(exchange: HttpExchange, response: Response, session: Session): Promise<void> {
    const { id, method, signal } = exchange;
    const type = mediaType(response);
    if (!response.ok) {
      const { error, body } = await this.#endpoint.toError("POST", response);
      if (error.status === 401 || error.status === 403 || !isResponseTo(id, body)) throw error;
      this.onText?.(body);
    } else if (type === "text/event-stream" && response.body !== null) {
      await readResumableStream(response.body, {
        onMessage: (text) => this.onText?.(text),
        open: (lastEventId) => this.#openStream(session, lastEventId, signal),
        isExpectingMore: () => !exchange.isSettled,
        requiresEventId: true,
        signal,
      });
    } else if (type === "application/json") this.onText?.(await this.#endpoint.readText(response));
    else await discardBody(response);
    if (!exchange.isSettled) throw noResponse(method, response);
  }

  #post(text: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> {
    const allHeaders = { ...headers, "content-type": "application/json", accept: "application/json, text/event-stream" };
    return this.#endpoint.request({ method: "POST", headers: allHeaders, body: text, signal });
  }

  // ── messages without a response ───────────────────────────────────────────────────────────────────────────────────

  async #sendResponse(text: string): Promise<void> {
    try {
      await postResponse(text, (sent) => untilAvailable(() => this.#postAndDiscard(sent), this.#closing.signal));
    } catch (error) {
      this.#fault("Response of the client", error);
    }
  }

  #enqueueNotification(text: string, method: string): void {
    this.#queue.enqueue(async () => {
      const session = this.#sessions.current;
      const isInitialized = method === "notifications/initialized";
      try {
        const isAccepted = await untilAvailable(() => this.#postAndDiscard(text), this.#closing.signal);
        if (isAccepted && isInitialized) void this.#openStandaloneStream(session);
        // The renewal waits for the queue, so this queued notification must not wait for the renewal. It is sent again afterwards.
        if (!isAccepted) this.#renewInBackground(session, isInitialized ? undefined : () => this.#enqueueNotification(text, method));
      } catch (error) {
        this.#fault(method, error);
      }
    });
  }

  /** Posts a message that has no response; false if the session has expired. */
  async #postAndDiscard(text: string): Promise<boolean> {
    const session = this.#sessions.current;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(ACCEPT_TIMEOUT_MS)]);
    const response = await this.#post(text, sessionHeaders(session), signal);
    const hasExpired = await isExpired(response, session);
    if (!response.ok && !hasExpired) throw (await this.#endpoint.toError("POST", response)).error;
    await discardBody(response);
    return !hasExpired;
  }

  // ── streams of the server ─────────────────────────────────────────────────────────────────────────────────────────

  /** Opens the stream for messages that belong to no request. A server may not have one. */
  async #openStandaloneStream(session: Session): Promise<void> {
    this.#standaloneStream.abort();
    const { signal } = (this.#standaloneStream = new AbortController());
    if (this.#closed !== undefined) return;
    let hasOpened = false;
    try {
      await readResumableStream(undefined, {
        onMessage: (text) => this.onText?.(text),
        open: async (lastEventId) => {
          const stream = await this.#openStream(session, lastEventId, signal, hasOpened);
          hasOpened ||= !(stream instanceof Error);
          return stream;
        },
        isExpectingMore: () => !signal.aborted && this.#closed === undefined,
        requiresEventId: false,
        signal,
      });
    } catch (error) {
      const isUnserved = error instanceof HttpStatusError && (error.status === 405 || (error.status === 404 && !hasOpened));
      if (!isUnserved && !signal.aborted) this.#fault("Standalone stream", error);
    }
  }

  /** Opens a stream by GET. Returns a transient error, throws a final one. `isServed`: such a stream was open before. */
  async #openStream(session: Session, lastEventId: string | undefined, signal: AbortSignal, isServed = true): Promise<Body | Error> {
    const lastEvent: Record<string, string> = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
    const headers = { ...sessionHeaders(session), ...lastEvent, accept: "text/event-stream" };
    let response: Response;
    try {
      response = await this.#endpoint.request({ method: "GET", headers, signal });
    } catch (error) {
      if (error instanceof InterruptedError) return error;
      throw error;
    }
    if (response.ok && response.body !== null && mediaType(response) === "text/event-stream") return response.body;
    const hasExpired = await isExpired(response, session);
    const { error } = await this.#endpoint.toError("GET", response);
    // Without `isServed` a 404 may mean that the server has no such streams.
    if (isServed && hasExpired) {
      this.#renewInBackground(session);
      throw new InterruptedError("The server has forgotten the session before its response");
    }
    // 409: the server has not noticed yet that the previous stream is closed.
    if (error.status >= 500 || error.status === 409 || error.status === 429) return error;
    throw error;
  }

  // ── session ───────────────────────────────────────────────────────────────────────────────────────────────────────

  async #renew(expired: Session): Promise<void> {
    await this.#sessions.renew(expired, (handshakeComplete) => {
      this.#standaloneStream.abort();
      this.#queue.enqueue(() => handshakeComplete);
    });
  }

  #renewInBackground(expired: Session, then?: () => void): void {
    this.#renew(expired).then(then, (error: unknown) => this.#fault("Session renewal", error));
  }

  #fault(subject: string, error: unknown): void {
    if (this.#closed === undefined) this.#options.onFault?.(`${subject} failed: ${asError(error).message}`);
  }

  /** Sends queued messages, deletes the session, and aborts open requests and streams. */
  async #shutDown(): Promise<void> {
    const deadline = AbortSignal.timeout(this.#options.graceMs ?? DEFAULT_GRACE_MS);
    await this.#queue.emptyBy(deadline);
    const session = this.#sessions.toDelete;
    if (session.id !== undefined) {
      try {
        await discardBody(await this.#endpoint.request({ method: "DELETE", headers: sessionHeaders(session), signal: deadline }));
      } catch {
        // A server may not allow deletion, or may be unreachable.
      }
    }
    this.#closing.abort(new Error("The connection was closed"));
    this.#standaloneStream.abort();
    for (const exchange of this.#exchanges.values()) exchange.abort();
    this.onClose?.();
  }
}
