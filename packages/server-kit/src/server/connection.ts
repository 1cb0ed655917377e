// One connection: messages in, each to its peer and feature, answers out. The kit's middle.
import { findResource } from "../features/resources.ts";
import { truncate } from "../features/schema.ts";
import { Subscriptions } from "../features/subscriptions.ts";
import { Session } from "../peer/session.ts";
import { NEWEST_HANDSHAKE, type Revision } from "../revisions/index.ts";
import { hasEnvelope, readEnvelope } from "../protocol/meta.ts";
import { toFailure, maskError, describeError } from "../protocol/errors.ts";
import type { LogLevel } from "../protocol/types.ts";
import {
  errorText,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isId,
  isObject,
  kindOf,
  METHOD_NOT_FOUND,
  notificationText,
  resultText,
  type Id,
  type Json,
  type NotificationMessage,
  type RequestMessage,
  type ResponseMessage,
} from "../wire/json-rpc.ts";
import { batchChannels, failedText } from "./batch.ts";
import { RequestAborted, type AbortCause } from "./abort.ts";
import type { Channel } from "./channel.ts";
import { RequestContext, type RequestScope } from "./context.ts";
import { isListHandler, type CallHandler, type ListHandler } from "./dispatch.ts";
import type { Runtime } from "./endpoint.ts";
import { initializeResult, sessionHandlers } from "./handshake.ts";
import { TokenBucket } from "./limits.ts";
import { parseMessage, MessageError } from "./parse-message.ts";
import { Runner } from "./runner.ts";
import { encodeResult } from "./encode-result.ts";
import { Stateless } from "./stateless.ts";

const NOT_INITIALIZED = `Not initialized: send initialize first (revisions up to ${NEWEST_HANDSHAKE})`;
const NO_ENVELOPE = "_meta: expected protocolVersion and clientCapabilities, as every request of this revision has them";
const NO_PARAMS: Json = {};
/** Methods that are answered by what a server is, not by what it offers. */
const OPENING: ReadonlySet<unknown> = new Set(["initialize", "ping", "server/discover"]);

export class Connection implements RequestScope {
  readonly loggerName: string;
  readonly maxClientRequests: number;
  /** Its place among the connections of the endpoint. */
  slot = -1;
  readonly #endpoint: Runtime;
  readonly #standing: Channel;
  #ended: AbortController | undefined;
  #over: RequestAborted | undefined;
  readonly #runner: Runner;
  readonly #subscriptions: Subscriptions;
  readonly #calls: TokenBucket;
  readonly #logs: TokenBucket;
  #session: Session | undefined;
  #rows: ReadonlyMap<string, CallHandler> | undefined;
  #stateless: Stateless | undefined;
  /** The last message that waits for the rest of the server. */
  #held: Promise<void> | undefined;

  /** `standing` carries what belongs to no request. */
  constructor(endpoint: Runtime, standing: Channel) {
    const { limits } = endpoint;
    this.#endpoint = endpoint;
    this.#standing = standing;
    this.loggerName = endpoint.server.info.name;
    this.maxClientRequests = limits.clientRequests;
    this.#runner = new Runner(endpoint);
    this.#calls = new TokenBucket(limits.callsPerSecond);
    this.#logs = new TokenBucket(limits.logsPerSecond);
    this.#subscriptions = new Subscriptions(limits.subscriptions, (uri) => this.#tell("notifications/resources/updated", { uri }));
  }

  // ── in ────────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Takes one message as text. Never throws: whatever is wrong with it is answered. */
  receive(text: string, channel: Channel = this.#standing): void {
    const value = parseMessage(text, this.#endpoint.limits);
    if (value instanceof MessageError) channel.refuse(value.error);
    else this.take(value, channel);
  }

  /** Takes one message, or an array of them, that `readMessage` has read. Never throws. */
  take(value: unknown, channel: Channel): void {
    if (this.#endpoint.server.isLoading && this.#hold(value, channel)) return;
    try {
      if (Array.isArray(value)) this.#batch(value, channel);
      else this.#message(value, channel);
    } catch (error) {
      // Nothing that a client sends may end the process; that it got this far is a fault of ours.
      this.refuse(maskError(error, this.#endpoint.report), channel, INTERNAL_ERROR);
    }
  }

  /** Messages that need the rest of the server are taken when it is there, in order; others, and requests too early, right now. */
  #hold(value: unknown, channel: Channel): boolean {
    const { server, report } = this.#endpoint;
    const isEarly = this.#session === undefined && kindOf(value) === "request";
    const atOnce = isObject(value) && (OPENING.has(value.method) || (isEarly && !hasEnvelope(value.params)));
    const failed = (error: unknown): void => {
      const message = maskError(error, report);
      if (!atOnce) channel.complete(failedText(value, { code: INTERNAL_ERROR, message }));
    };
    // The answer to a greeting goes out before the rest is loaded.
    const ready = atOnce ? Promise.resolve().then(() => server.ready()) : server.ready();
    this.#held = ready.then(() => void (atOnce || this.take(value, channel)), failed);
    return !atOnce;
  }

  /** Answers what could not be read as a message. */
  refuse(message: string, channel: Channel = this.#standing, code = INVALID_REQUEST): void {
    channel.refuse({ code, message });
  }

  #message(value: unknown, channel: Channel): void {
    // kindOf has checked the members that the three casts below rely on.
    switch (kindOf(value)) {
      case "request":
        return this.#request(value as RequestMessage, channel);
      case "notification":
        this.#notification(value as NotificationMessage);
        return channel.complete(undefined);
      case "ignored": // has no id that a question of ours could have
      case "response":
        this.#session?.requests.handleResponse(value as ResponseMessage);
        return channel.complete(undefined);
      case "bad-params":
        return channel.complete(errorText((value as RequestMessage).id, { code: INVALID_PARAMS, message: "params: expected an object" }));
      case "invalid":
        this.#session?.requests.rejectInvalid(value);
        return this.refuse("Invalid Request", channel);
    }
  }

  #batch(messages: readonly unknown[], channel: Channel): void {
    if (this.#session?.revision.facts.batch !== true) return this.refuse("Batches are not part of this revision", channel);
    if (messages.length === 0) return this.refuse("Invalid Request: empty batch", channel);
    const most = this.#endpoint.limits.batch;
    if (messages.length > most) return this.refuse(`Invalid Request: a batch holds at most ${most} messages`, channel);
    if (messages.some((message) => isObject(message) && message.method === "initialize")) {
      return this.refuse("Invalid Request: initialize may not stand in a batch", channel);
    }
    if (messages.some((message) => isObject(message) && hasEnvelope(message.params))) {
      return this.refuse("Invalid Request: requests that speak for themselves do not stand in a batch", channel);
    }
    const channels = batchChannels(messages.length, channel);
    messages.forEach((message, at) => this.#message(message, channels[at] ?? channel));
  }

  #request({ id, method, params = NO_PARAMS }: RequestMessage, channel: Channel): void {
    if (this.#runner.has(id) || this.#stateless?.has(id) === true) return this.refuse("Invalid Request: this id is in use", channel);
    if (params._meta !== undefined && hasEnvelope(params)) return this.#alone({ jsonrpc: "2.0", id, method, params }, channel);
    if (method === "server/discover") return channel.complete(errorText(id, { code: INVALID_PARAMS, message: NO_ENVELOPE }));
    if (method === "ping") return channel.complete(resultText(id, "{}"));
    const session = this.#session;
    if (session === undefined) return this.#first(id, method, params, channel);
    const row = session.revision.methods.has(method)
      ? (this.#endpoint.handlers.get(method) ??
        (this.#rows ??= sessionHandlers(this.#endpoint.server, session, this.#subscriptions)).get(method))
      : undefined;
    if (row === undefined) {
      const known = method === "initialize" ? { code: INVALID_REQUEST, message: "Already initialized" } : undefined;
      return channel.complete(errorText(id, known ?? { code: METHOD_NOT_FOUND, message: "Method not found" }));
    }
    if (isListHandler(row)) return this.#list(id, method, row, params.cursor, channel);
    const ctx = new RequestContext(this, id, method, session.revision.decodeParams(method, params), channel);
    ctx.handler = row;
    if (method === "tools/call" && !this.#calls.take()) this.#runner.refuse(ctx, "Too many tool calls a second");
    else this.#runner.run(ctx);
  }

  /** A request of the era without sessions, which may come by the same pipe at any time. */
  #alone(message: RequestMessage, channel: Channel): void {
    this.#stateless ??= new Stateless({
      endpoint: this.#endpoint,
      runner: this.#runner,
      signal: () => this.signal,
      mayCall: () => this.#calls.take(),
      listens: this.#endpoint.limits.subscriptionStreams,
      announcesEnd: true,
    });
    try {
      this.#stateless.run(message, this.#stateless.open(readEnvelope(message.params ?? NO_PARAMS)), channel);
    } catch (error) {
      const { code, message: why, data } = toFailure(error, this.#endpoint.report);
      channel.complete(errorText(message.id, { code, message: why, ...(data !== undefined && { data }) }), code);
    }
  }

  /** Before the handshake nothing but the handshake is served. */
  #first(id: Id, method: string, params: Json, channel: Channel): void {
    if (method !== "initialize") return channel.complete(errorText(id, { code: INVALID_PARAMS, message: NOT_INITIALIZED }));
    const { server, limits, logFrom } = this.#endpoint;
    try {
      const session = new Session(params, logFrom, limits.clientRequestMs);
      this.#session = session;
      channel.complete(resultText(id, JSON.stringify(session.revision.encodeResult(method, initializeResult(server, session)))));
    } catch (error) {
      const { code, message } = toFailure(error, this.#endpoint.report);
      channel.complete(errorText(id, { code, message }));
    }
  }

  #notification({ method, params }: NotificationMessage): void {
    if (method === "notifications/cancelled") return this.#cancelled(params ?? NO_PARAMS);
    const session = this.#session;
    if (session === undefined) return;
    switch (method) {
      case "notifications/initialized":
        if (session.ready) return;
        session.ready = true;
        return this.#followRoots(session);
      case "notifications/roots/list_changed":
        session.rootsChanged();
        return this.#followRoots(session);
    }
  }

  /** Of a request of either era; an id that is not in flight is ignored. */
  #cancelled({ requestId, reason }: Json): void {
    if (!isId(requestId) || this.#stateless?.cancel(requestId) === true) return;
    this.#runner.cancel(requestId, typeof reason === "string" ? truncate(reason) : "no reason given");
  }

  #list(id: Id, method: string, row: ListHandler, cursor: unknown, channel: Channel): void {
    const { revision } = this.peer;
    try {
      const text =
        cursor === undefined
          ? this.#endpoint.listText(method, row, revision)
          : JSON.stringify(encodeResult(this.#endpoint.server, revision, method, { ...row.list(cursor) }));
      channel.complete(resultText(id, text));
    } catch (error) {
      const { code, message } = toFailure(error, this.#endpoint.report);
      channel.complete(errorText(id, { code, message }));
    }
  }

  // ── out ───────────────────────────────────────────────────────────────────────────────────────────────────────────

  get peer(): Session {
    if (this.#session === undefined) throw new Error("no session: contexts are made after the handshake only");
    return this.#session;
  }

  get signal(): AbortSignal {
    this.#ended ??= new AbortController();
    if (this.#over !== undefined) this.#ended.abort(this.#over);
    return this.#ended.signal;
  }

  /** The revision that the handshake settled on; undefined before it. */
  get revision(): Revision | undefined {
    return this.#session?.revision;
  }

  /** True once the client said that it is ready. */
  get ready(): boolean {
    return this.#session?.ready === true;
  }

  canLog(): boolean {
    return this.#logs.take();
  }

  logLocally(level: LogLevel, data: unknown): void {
    this.#endpoint.log(level, data);
  }

  /** The list of a feature has changed. */
  listChanged(feature: "tools" | "resources" | "prompts"): void {
    this.#tell(`notifications/${feature}/list_changed`);
  }

  #tell(method: string, params?: Json): void {
    if (this.#session?.ready === true) this.#standing.notify(notificationText(method, params));
  }

  #followRoots(session: Session): void {
    if (this.#endpoint.server.spec.followsRoots !== true || !session.client.can("roots")) return;
    const failed = (error: unknown) => this.logLocally("warning", `the client's roots could not be followed: ${describeError(error)}`);
    session.onRoots = () => void this.#rewatch(session).catch(failed);
    const asker = session.requester((text) => this.#standing.notify(text));
    session.roots(asker, this.signal, () => this.#standing.open !== false).catch(failed);
  }

  /** Other folders: what may be watched is asked anew, and the list of resources is another one. */
  async #rewatch(session: Session): Promise<void> {
    const { resources } = this.#endpoint.server;
    for (const uri of this.#subscriptions.uris) {
      if (!this.#subscriptions.remove(uri)) continue; // unsubscribed while another one was being renewed
      const ctx = new RequestContext(this, "", "resources/subscribe", {}, this.#standing);
      try {
        const { definition, variables } = findResource(resources, uri);
        await this.#subscriptions.add(uri, (changed) => definition.watch(variables, changed, ctx, uri));
      } catch {
        this.logLocally("info", "a subscription ended: its resource is no longer within the client's roots");
      }
    }
    if (this.#session === session) this.listChanged("resources");
  }

  // ── flow and end ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** The other side does not read: nothing new is started until `resume`. */
  pause(): void {
    this.#runner.pause();
  }

  resume(): void {
    this.#runner.resume();
  }

  /** Requests that have no answer yet. */
  get running(): number {
    return this.#runner.size;
  }

  /** Ends what has run longer than it may. */
  expire(now: number): void {
    this.#runner.expire(now);
  }

  /** No more input: work in hand may finish within the time, then it is stopped. */
  async finish(graceMs: number): Promise<void> {
    await this.#held;
    this.#session?.requests.close(new RequestAborted("closed", "the client has gone"));
    this.#subscriptions.clear();
    this.#stateless?.end();
    await this.#runner.idle(graceMs);
    this.close();
  }

  /** Ends everything at once. */
  close(cause: AbortCause = "shutdown"): void {
    const why = cause === "closed" ? "the client has gone" : "the server is shutting down";
    const reason = new RequestAborted(cause, why);
    this.#session?.requests.close(reason);
    this.#subscriptions.clear();
    this.#stateless?.end();
    this.#runner.stopAll(cause, why);
    this.#over = reason;
    this.#ended?.abort(reason);
    this.#endpoint.forget(this);
  }
}
