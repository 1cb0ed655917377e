// HTTP+SSE, the transport before Streamable HTTP: one stream carries all messages of the server, and names the URL to post to.
// https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
import type { Id } from "@oarlock/server-kit/protocol";
import type { OutgoingMessage, Transport } from "../../connection/transport.ts";
import { asError, InterruptedError, InvalidResponseError, NegotiationError } from "../../errors.ts";
import { readEvents } from "../http/event-stream.ts";
import type { HttpEndpoint } from "../http/http-endpoint.ts";
import { discardBody, mediaType } from "../http/response-body.ts";
import { SendQueue } from "../http/send-queue.ts";
import { postResponse } from "../http/until-available.ts";
import { ACCEPT_TIMEOUT_MS, type HttpOptions } from "../http/streamable-http.ts";

const DEFAULT_GRACE_MS = 5000;

export class LegacySse implements Transport {
  readonly network = "tcp";
  /** The revision to request over this transport. */
  readonly revision = "2024-11-05";
  onText: Transport["onText"];
  onClose: Transport["onClose"];
  onRequestLost: NonNullable<Transport["onRequestLost"]> = () => undefined;
  readonly #endpoint: HttpEndpoint;
  readonly #options: HttpOptions;
  readonly #queue = new SendQueue();
  readonly #closing = new AbortController();
  /** Requests that wait for the queue. */
  readonly #queued = new Set<Id>();
  readonly #postUrl = Promise.withResolvers<URL>();
  #isSupported = false;
  #hasPostUrl = false;
  #isOpen = false;
  #isClosed = false;

  constructor(endpoint: HttpEndpoint, options: HttpOptions) {
    this.#endpoint = endpoint;
    this.#options = options;
    this.#postUrl.promise.catch(() => undefined);
  }

  /** Whether the server has this transport: its stream has named a URL to post to. */
  get isSupported(): boolean {
    return this.#isSupported;
  }

  send(text: string, { id, method }: OutgoingMessage = {}): void {
    if (this.#closing.signal.aborted) return;
    if (!this.#isOpen) void this.#readStream();
    this.#isOpen = true;
    if (id !== undefined && method !== undefined) void this.#sendRequest(text, id);
    else this.#queue.enqueue(() => this.#sendWithoutResponse(text, method ?? "Response of the client"));
  }

  requestSettled(id: Id): void {
    this.#queued.delete(id);
  }

  async #sendRequest(text: string, id: Id): Promise<void> {
    try {
      this.#queued.add(id);
      await this.#queue.whenEmpty();
      // A request that was settled meanwhile was cancelled.
      if (this.#queued.delete(id)) await this.#post(text, this.#closing.signal);
    } catch (error) {
      this.onRequestLost(id, asError(error));
    }
  }

  async #sendWithoutResponse(text: string, subject: string): Promise<void> {
    try {
      const timed = (): AbortSignal => AbortSignal.any([this.#closing.signal, AbortSignal.timeout(ACCEPT_TIMEOUT_MS)]);
      await postResponse(text, (sent) => this.#post(sent, timed()));
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#options.onFault?.(`${subject} failed: ${asError(error).message}`);
    }
  }

  async close(): Promise<void> {
    if (this.#isSupported) await this.#queue.emptyBy(AbortSignal.timeout(this.#options.graceMs ?? DEFAULT_GRACE_MS));
    this.#end();
  }

  /** Reads the stream. The session lasts as long as the stream. */
  async #readStream(): Promise<void> {
    try {
      const { signal } = this.#closing;
      const response = await this.#endpoint.request({ method: "GET", headers: { accept: "text/event-stream" }, signal });
      if (!response.ok) throw (await this.#endpoint.toError("GET", response)).error;
      if (response.body === null || mediaType(response) !== "text/event-stream") {
        await discardBody(response);
        throw new InvalidResponseError("Invalid response to GET: expected a stream of events");
      }
      const failure = await readEvents(response.body, { onEvent: (name, data) => this.#receive(name, data) }, signal);
      throw new InterruptedError(`The server's stream ended${failure === undefined ? "" : `: ${this.#endpoint.describeError(failure)}`}`);
    } catch (error) {
      // Before the URL is known, messages that wait for it fail; afterwards the connection ends.
      this.#postUrl.reject(error);
      if (this.#hasPostUrl) this.#end(asError(error));
    }
  }

  #receive(eventName: string, data: string): void {
    if (eventName === "message" && data !== "") this.onText?.(data);
    if (eventName !== "endpoint" || this.#isSupported) return;
    this.#isSupported = true;
    const url = URL.parse(data, this.#endpoint.url.href);
    // The URL receives the token and all messages.
    if (url?.origin !== this.#endpoint.url.origin || url.username !== "" || url.password !== "")
      throw new NegotiationError("Invalid URL to post to: expected one with the origin of the server");
    for (const value of url.searchParams.values()) this.#endpoint.addSecret(value);
    this.#hasPostUrl = true;
    this.#postUrl.resolve(url);
  }

  async #post(text: string, signal: AbortSignal): Promise<void> {
    const url = await this.#postUrl.promise;
    const response = await this.#endpoint.request({
      method: "POST",
      url,
      headers: { "content-type": "application/json" },
      body: text,
      signal,
    });
    if (!response.ok) throw (await this.#endpoint.toError("POST", response)).error;
    await discardBody(response);
  }

  #end(error?: Error): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#closing.abort(error ?? new Error("The connection was closed"));
    this.onClose?.(error);
  }
}
