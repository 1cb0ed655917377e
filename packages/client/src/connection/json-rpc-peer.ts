// The client's end of a JSON-RPC connection: sends requests and notifications, and dispatches received messages.
// https://modelcontextprotocol.io/specification/2025-11-25/basic (messages, cancellation, progress)
import {
  errorText,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isId,
  isObject,
  kindOf,
  notificationText,
  requestText,
  type Id,
  type Json,
  type NotificationMessage,
  type RequestMessage,
  type ResponseMessage,
  type TraceContext,
} from "@oarlock/server-kit/protocol";
import { asError, ConnectionClosedError, handlerFailed, InvalidResponseError, RequestTimeoutError, toMcpError } from "../errors.ts";
import { IncomingRequests, type AnswerRequest, type Reply } from "./incoming-requests.ts";
import { endOfError, endOfResult, targetOf, type SentObservation, type SentRequest } from "./observer.ts";
import { PendingRequest, withProgressToken, withTrace, type RequestOptions } from "./pending-request.ts";
import type { OutgoingMessage, Transport } from "./transport.ts";

export interface PeerOptions {
  /** Default timeouts of requests, in milliseconds. */
  timeoutMs: number;
  maxTotalMs: number;
  answer: AnswerRequest;
  onNotification(method: string, params: Json): void;
  onClose(reason: ConnectionClosedError): void;
  /** The trace context of requests that bring none. */
  trace?: (() => TraceContext | undefined) | undefined;
  /** Called before each request. */
  observe?: ((request: Pick<SentRequest, "id" | "method" | "target">) => SentObservation | undefined) | undefined;
  onWire?: ((direction: "sent" | "received", text: string) => void) | undefined;
  onFault?: ((message: string) => void) | undefined;
}

/** Options of requests that only the client itself sets. */
export interface PeerRequestOptions extends RequestOptions {
  /** HTTP headers of the request. Other transports ignore them. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Abandon the request without notifying the server, and accept a late response. */
  isSilent?: boolean;
  /** Called with the id before the request is sent. */
  onSend?(id: Id): void;
}

const EXCERPT_CHARACTERS = 200;

export class JsonRpcPeer {
  /** Whether the negotiated revision has batches (arrays of messages). */
  acceptsBatches = false;
  /** Whether the negotiated revision has requests of the server to the client. */
  acceptsRequests = true;
  readonly #transport: Transport;
  readonly #options: PeerOptions;
  readonly #pending = new Map<Id, PendingRequest>();
  readonly #incoming: IncomingRequests;
  /** Ids of silently abandoned requests, whose late responses are expected. */
  readonly #abandoned = new Set<Id>();
  /** Never reset, so that no id is used twice on a connection. */
  #nextId = 1;
  #closedBy: ConnectionClosedError | undefined;

  constructor(transport: Transport, options: PeerOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#incoming = new IncomingRequests(options.answer, options.onFault);
    transport.onRequestLost = (id, error) => this.#pending.get(id)?.reject(error);
    transport.onText = (text) => this.#receive(text);
    transport.onClose = (error) => this.#end(new ConnectionClosedError(error?.message ?? "The connection was closed", error));
  }

  get isClosed(): boolean {
    return this.#closedBy !== undefined;
  }

  // ── sending ───────────────────────────────────────────────────────────────────────────────────────────────────────

  request(method: string, params?: Json, options: PeerRequestOptions = {}): Promise<Json> {
    const { signal, onProgress, isSilent = false, headers } = options;
    if (this.#closedBy !== undefined) return Promise.reject(this.#closedBy);
    if (signal?.aborted === true) return Promise.reject(asError(signal.reason));
    const id = this.#nextId++;
    const observation = this.#options.observe?.({ id, method, target: targetOf(method, params) });
    return new Promise<Json>((resolve, reject) => {
      const fail = (error: Error): void => {
        observation?.ended(endOfError(error, signal?.aborted === true));
        reject(error);
      };
      const settle = (complete: () => void, isAbandoned = false): void => {
        if (!this.#pending.delete(id)) return;
        pending.stopTimers();
        signal?.removeEventListener("abort", onAbort);
        this.#transport.requestSettled?.(id, isAbandoned);
        complete();
      };
      const abandon = (error: Error): void =>
        settle(() => {
          if (isSilent) this.#abandoned.add(id);
          // A stateless transport has cancelled the request by closing its stream.
          else if (this.#transport.isStateless !== true) this.notify("notifications/cancelled", { requestId: id, reason: error.message });
          fail(error);
        }, true);
      const onAbort = (): void => abandon(asError(signal?.reason));
      const pending = new PendingRequest({
        timeoutMs: options.timeoutMs ?? this.#options.timeoutMs,
        maxTotalMs: options.maxTotalMs ?? this.#options.maxTotalMs,
        onProgress,
        isServerWaiting: () => !this.#incoming.isEmpty,
        onTimeout: (afterMs, isTotal) => abandon(new RequestTimeoutError(method, afterMs, isTotal)),
        resolve: (result) =>
          settle(() => {
            observation?.ended(endOfResult(result));
            resolve(result);
          }),
        reject: (error) => settle(() => fail(error)),
      });
      this.#pending.set(id, pending);
      signal?.addEventListener("abort", onAbort);
      options.onSend?.(id);
      const trace = options.trace ?? observation?.trace ?? this.#options.trace?.();
      const tracedParams = trace === undefined ? params : withTrace(params, trace);
      const sentParams = onProgress === undefined ? tracedParams : withProgressToken(tracedParams, id);
      this.#send(requestText(id, method, sentParams), { id, method, params: sentParams, headers });
    });
  }

  notify(method: string, params?: Json): void {
    if (!this.isClosed) this.#send(notificationText(method, params), { method });
  }

  /** Rejects pending requests and closes the transport. */
  async close(reason = "The client closed the connection"): Promise<void> {
    this.#end(new ConnectionClosedError(reason));
    await this.#transport.close();
  }

  /** Aborts the server's requests to the client without a response, as the server has forgotten them. */
  abortIncomingRequests(reason: Error): void {
    this.#incoming.abortAll(reason);
  }

  #send(text: string, message: OutgoingMessage = {}): void {
    if (this.isClosed) return;
    this.#options.onWire?.("sent", text);
    this.#transport.send(text, message);
  }

  #end(reason: ConnectionClosedError): void {
    if (this.isClosed) return;
    this.#closedBy = reason;
    for (const pending of [...this.#pending.values()]) pending.reject(reason);
    this.#incoming.abortAll(reason);
    this.#options.onClose(reason);
  }

  // ── receiving ─────────────────────────────────────────────────────────────────────────────────────────────────────

  #receive(text: string): void {
    this.#options.onWire?.("received", text);
    if (this.isClosed) return;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // Programs print to stdout by mistake. The connection continues, and no error response is sent, as no request failed.
      return this.#fault(`Invalid JSON received: ${text.slice(0, EXCERPT_CHARACTERS)}`);
    }
    if (Array.isArray(value)) this.#receiveBatch(value);
    else this.#receiveMessage(value, (response) => response !== undefined && this.#send(response));
  }

  #receiveMessage(value: unknown, reply: Reply): void {
    if (isObject(value) && value.params === null) delete value.params; // as some servers write that there are none
    // kindOf has checked the members that the type assertions below rely on.
    switch (kindOf(value)) {
      case "request":
        return this.#receiveRequest(value as RequestMessage, reply);
      case "notification":
        return this.#receiveNotification(value as NotificationMessage);
      case "response":
        return this.#receiveResponse(value as ResponseMessage);
      case "bad-params":
        if (!this.acceptsRequests) return this.#fault("Unexpected request: this revision has no requests of the server to the client");
        return reply(errorText((value as RequestMessage).id, { code: INVALID_PARAMS, message: "params: expected an object" }));
      default: // no other response follows an invalid one, so its request fails now
        return this.#receiveInvalid(value);
    }
  }

  #receiveInvalid(value: unknown): void {
    const excerpt = JSON.stringify(value).slice(0, EXCERPT_CHARACTERS);
    const pending = isObject(value) && value.method === undefined && isId(value.id) ? this.#pending.get(value.id) : undefined;
    if (pending === undefined) return this.#fault(`Invalid message received: ${excerpt}`);
    pending.reject(new InvalidResponseError(`Invalid response: expected "jsonrpc":"2.0" and either a result or an error, got ${excerpt}`));
  }

  /** The responses to the requests of a batch are sent as one batch (2025-03-26 only). */
  #receiveBatch(messages: readonly unknown[]): void {
    if (!this.acceptsBatches) return this.#fault("Unexpected batch: this revision has no batches");
    if (messages.length === 0)
      return this.#send(errorText(null, { code: INVALID_REQUEST, message: "Invalid Request: the batch is empty." }));
    let unanswered = messages.filter((message) => ["request", "bad-params"].includes(kindOf(message))).length;
    const responses: string[] = [];
    const reply: Reply = (text) => {
      if (text !== undefined) responses.push(text);
      if (--unanswered === 0 && responses.length > 0) this.#send(`[${responses.join(",")}]`);
    };
    for (const message of messages) this.#receiveMessage(message, reply);
  }

  #receiveRequest(request: RequestMessage, reply: Reply): void {
    if (this.acceptsRequests) this.#incoming.handle(request, reply);
    else this.#fault(`Unexpected request: this revision has no requests of the server to the client (${request.method})`);
  }

  #receiveNotification({ method, params = {} }: NotificationMessage): void {
    try {
      if (method === "notifications/progress" && isId(params.progressToken)) this.#pending.get(params.progressToken)?.progress(params);
      if (method === "notifications/cancelled" && isId(params.requestId)) this.#incoming.cancel(params.requestId, params.reason);
      this.#options.onNotification(method, params);
    } catch (error) {
      this.#fault(handlerFailed(method, error)); // a callback of the host must not end the stream that brought the notification
    }
  }

  #receiveResponse({ id, result, error }: ResponseMessage): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) {
      const echoed = typeof id === "string" ? this.#pending.get(Number(id)) : undefined;
      if (echoed !== undefined)
        echoed.reject(new InvalidResponseError(`Invalid response: the server has turned the id ${id} of the request into text`));
      else if (!this.#abandoned.delete(id)) this.#fault(`Unexpected response: no pending request has id ${JSON.stringify(id)}`);
    } else if (isObject(error)) pending.reject(toMcpError(error, this.#options.onFault));
    else if (isObject(result)) pending.resolve(result);
    else pending.reject(new InvalidResponseError("Invalid result: expected an object"));
  }

  #fault(message: string): void {
    this.#options.onFault?.(message);
  }
}
