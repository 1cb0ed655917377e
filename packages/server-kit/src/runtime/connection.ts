// Connection: routes incoming messages to handlers and writes their responses (handshake era). Requests of the stateless era, which may
// come by the same pipe, are passed on.
import { severity } from "../features/logging.ts";
import { truncate } from "../features/schema/schema.ts";
import { Session } from "../peer/session.ts";
import { TokenBucket } from "../peer/token-bucket.ts";
import { invalidParams, maskError, methodNotFound } from "../protocol/errors.ts";
import { negotiate, NEWEST_HANDSHAKE, type Revision } from "../revisions/index.ts";
import {
  errorText,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isId,
  notificationText,
  type Json,
  type NotificationMessage,
  type RequestMessage,
} from "../wire/json-rpc.ts";
import { connectionEnded, type RequestAborted } from "./request/abort.ts";
import { batchChannel, batchFault } from "./batch.ts";
import { completeWithError, type Channel } from "./request/channel.ts";
import { parseMessage, type BatchMessage, type IncomingMessage, type UnreadableMessage } from "./classify.ts";
import { RequestContext } from "./request/context.ts";
import type { Feature } from "./feature.ts";
import { FeatureLoader } from "./feature-loader.ts";
import { answerList, answerNow } from "./request/list-response.ts";
import { RATE_EXCEEDED } from "./limits.ts";
import { handlerFor, isListHandler } from "./request/request-handler.ts";
import { ClientWatches } from "./watch/client-watches.ts";
import { Runner } from "./request/runner.ts";
import type { Runtime } from "./runtime.ts";
import { initializeText, sessionHandler } from "./session-handlers.ts";
import { Stateless } from "./stateless.ts";

const NOT_INITIALIZED = `Not initialized: send initialize first (revisions up to ${NEWEST_HANDSHAKE}).`;
const NO_ENVELOPE = "_meta: expected protocolVersion and clientCapabilities, which every request of this revision has";
/** The severity from which on a client gets log entries, before it sets a level. */
const DEFAULT_SEVERITY = severity("info");
const NO_PARAMS: Json = {};
const emptyResult = (): string => "{}";

/** One client of the handshake era. */
export class Connection {
  readonly #runtime: Runtime;
  readonly #standing: Channel;
  readonly #runner: Runner;
  readonly #key: string | undefined;
  readonly #calls: TokenBucket;
  readonly #loader: FeatureLoader;
  readonly watches: ClientWatches;
  #session: Session | undefined;
  /** Created by the first stateless request. */
  #stateless: Stateless | undefined;

  /** `standing` carries what belongs to no request. `key` names the session where several processes serve it. */
  constructor(runtime: Runtime, standing: Channel, key?: string) {
    this.#runtime = runtime;
    this.#standing = standing;
    this.#runner = new Runner(runtime);
    this.#calls = new TokenBucket(runtime.limits.callsPerSecond);
    this.#key = key;
    this.#loader = new FeatureLoader(runtime, (message, channel) => this.handle(message, channel));
    this.watches = new ClientWatches(runtime, standing, (uri) => this.#notify("notifications/resources/updated", { uri }));
    runtime.connections.add(this);
  }

  /** Handles one message as text. Never throws: an invalid message is answered. */
  receive(text: string, channel: Channel = this.#standing): void {
    this.handle(parseMessage(text, this.#runtime.limits), channel);
  }

  /** Handles one message. Never throws. */
  handle(message: IncomingMessage | UnreadableMessage, channel: Channel): void {
    if (this.#runtime.server.isLoading && this.#loader.defers(message, channel, this.#session !== undefined)) return;
    try {
      this.#route(message, channel);
    } catch (error) {
      // A client message must never crash the process. Reaching this line is a bug in the kit.
      channel.refuse({ code: INTERNAL_ERROR, message: maskError(error, this.#runtime.report) });
    }
  }

  /** Refuses input that is not a message. */
  refuse(message: string, channel: Channel = this.#standing, code = INVALID_REQUEST): void {
    channel.refuse({ code, message });
  }

  #route(message: IncomingMessage | UnreadableMessage, channel: Channel): void {
    switch (message.kind) {
      case "request":
        return this.#request(message.value, message.isStateless, channel);
      case "notification":
        this.#notification(message.value);
        return channel.complete(undefined);
      case "response":
        this.#session?.requests.handleResponse(message.value);
        return channel.complete(undefined);
      case "ignored":
        return channel.complete(undefined);
      case "bad-params":
        return channel.complete(errorText(message.value.id, { code: INVALID_PARAMS, message: "params: expected an object" }));
      case "batch":
        return this.#batch(message, channel);
      case "invalid":
        this.#session?.requests.rejectInvalid(message.value);
        return this.refuse("Invalid Request", channel);
      case "unreadable":
        return channel.refuse(message.error);
    }
  }

  #batch(batch: BatchMessage, channel: Channel): void {
    const fault = batchFault(batch, this.#session?.revision, this.#runtime.limits.batch);
    if (fault !== undefined) return this.refuse(fault, channel);
    const gathered = batchChannel(batch.messages.length, channel);
    for (const message of batch.messages) this.#route(message, gathered);
  }

  #request(request: RequestMessage, isStateless: boolean, channel: Channel): void {
    const { id, method, params = NO_PARAMS } = request;
    if (this.#runner.has(id) || this.#stateless?.has(id) === true) return this.refuse("Invalid Request: this id is in use.", channel);
    if (isStateless) return this.#statelessRequest(request, channel);
    if (method === "server/discover") return completeWithError(channel, id, invalidParams(NO_ENVELOPE), this.#runtime.report);
    if (method === "ping") return answerNow(this.#runtime, request, this.#session?.revision ?? negotiate(undefined), channel, emptyResult);
    if (this.#session === undefined) return this.#initialize(request, channel);
    if (method === "initialize") return channel.complete(errorText(id, { code: INVALID_REQUEST, message: "Already initialized" }));
    const { revision } = this.#session;
    const { handlers } = this.#runtime.table(revision);
    const own = handlerFor(handlers.get(method), channel);
    const handler = own ?? sessionHandler(method, this.#runtime, this.#session, this.watches.subscriptions);
    if (handler === undefined) return completeWithError(channel, id, methodNotFound(), this.#runtime.report);
    if (isListHandler(handler)) return answerList(this.#runtime, this.#session, request, handler, channel);
    const decoded = revision.decodeParams(method, params);
    const ctx = new RequestContext(this.#runtime, this.#session, { id, method, params: decoded, channel, handler });
    if (method === "tools/call" && !this.#calls.take()) this.#runner.refuse(ctx, RATE_EXCEEDED);
    else this.#runner.run(ctx);
  }

  #statelessRequest(request: RequestMessage, channel: Channel): void {
    const runtime = this.#runtime;
    const { subscriptionStreams: maxStreams } = runtime.limits;
    this.#stateless ??= new Stateless({ runtime, runner: this.#runner, mayCall: () => this.#calls.take(), maxStreams, isPipe: true });
    this.#stateless.handle(request, channel);
  }

  /** Serves `initialize`, and nothing else before it. */
  #initialize(request: RequestMessage, channel: Channel): void {
    const { method, params = NO_PARAMS } = request;
    if (method !== "initialize") return completeWithError(channel, request.id, invalidParams(NOT_INITIALIZED), this.#runtime.report);
    answerNow(this.#runtime, request, negotiate(params.protocolVersion), channel, () => {
      const session = this.open(params);
      return initializeText(this.#runtime.server, session, this.#runtime.table(session.revision));
    });
  }

  /** Opens the session that the params of `initialize` describe. */
  open(params: Json): Session {
    const { limits, extensionIds } = this.#runtime;
    const session = new Session(params, DEFAULT_SEVERITY, limits.clientRequestMs, extensionIds);
    this.#runtime.observeSession(session);
    session.key = this.#key;
    session.notify = (text) => this.#standing.notify(text);
    this.#session = session;
    return session;
  }

  #notification({ method, params = NO_PARAMS }: NotificationMessage): void {
    const session = this.#session;
    if (method === "notifications/cancelled") return this.#cancel(params);
    if (method === "notifications/initialized" && session?.ready === false) session.clientIsReady();
    else if (method === "notifications/roots/list_changed") session?.rootsChanged();
    else return;
    if (session !== undefined) this.watches.followRoots(session, () => this.listChanged("resources"));
  }

  /** Cancels a request of either era; ignores an unknown id. */
  #cancel({ requestId, reason }: Json): void {
    if (!isId(requestId) || this.#stateless?.cancel(requestId) === true) return;
    this.#runner.cancel(requestId, typeof reason === "string" ? truncate(reason) : "no reason given");
  }

  get session(): Session | undefined {
    return this.#session;
  }

  /** The negotiated revision; undefined before the handshake. */
  get revision(): Revision | undefined {
    return this.#session?.revision;
  }

  /** True once the client has sent `notifications/initialized`. */
  get ready(): boolean {
    return this.#session?.ready === true;
  }

  listChanged(feature: Feature): void {
    this.#notify(`notifications/${feature}/list_changed`);
  }

  #notify(method: string, params?: Json): void {
    if (this.ready) this.#standing.notify(notificationText(method, params));
  }

  /** Backpressure: the client does not read, so no request is started until `resume`. */
  pause(): void {
    this.#runner.pause();
  }

  resume(): void {
    this.#runner.resume();
  }

  /** Requests without a response. */
  get running(): number {
    return this.#runner.size;
  }

  /** Ends the connection: requests in flight may finish within the time, then they are aborted. */
  async finish(graceMs: number, cause: "closed" | "shutdown" = "closed"): Promise<void> {
    await this.#loader.idle;
    this.#endOwnWork(connectionEnded(cause));
    await this.#runner.idle(graceMs);
    this.close(cause);
  }

  /** Closes at once: requests in flight end with an error where the server stops, otherwise without a response. */
  close(cause: "closed" | "shutdown" = "shutdown"): void {
    const reason = connectionEnded(cause);
    this.#endOwnWork(reason);
    this.#runner.stopAll(cause, reason.message);
    this.#runtime.connections.delete(this);
  }

  #endOwnWork(reason: RequestAborted): void {
    this.#session?.close(reason);
    this.watches.subscriptions.clear();
    this.#stateless?.end();
  }
}
