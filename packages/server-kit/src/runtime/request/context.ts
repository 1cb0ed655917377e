// RequestContext: one request on its way, and what its handler is given. Made for every request, so what most requests never use
// is made on first use.
import type { Client, InteractiveContext, Log } from "../../features/context.ts";
import type { Peer } from "../../peer/peer.ts";
import type { Auth } from "../../protocol/auth.ts";
import type { HttpRequestInfo } from "../../protocol/http-request.ts";
import { readTrace, type TraceContext } from "../../protocol/trace.ts";
import type { DeliverInputRequest, InputRequests } from "../../peer/input-requests.ts";
import type { Revision } from "../../revisions/index.ts";
import { notificationText, type Id, type Json } from "../../wire/json-rpc.ts";
import type { ExtensionContext } from "../extension/extension-context.ts";
import type { RequestAborted } from "./abort.ts";
import type { Channel } from "./channel.ts";
import { ClientRequests, requestEnded } from "./client-requests.ts";
import type { Observation, RequestEnd } from "./observer.ts";
import { progressOf } from "./progress.ts";
import { requestLog } from "./request-log.ts";
import { NO_HANDLER, type CallHandler } from "./request-handler.ts";
import type { Runtime } from "../runtime.ts";

export interface RequestDetails {
  readonly id: Id;
  readonly method: string;
  readonly params: Json;
  readonly channel: Channel;
  readonly handler: CallHandler;
  /** Names the request among those in flight. Default: its id. */
  readonly key?: unknown;
}

/** Stands for "read, and there is none". */
const NO_TRACE: TraceContext = { traceparent: "" };

export class RequestContext implements ExtensionContext {
  readonly id: Id;
  readonly key: unknown;
  readonly method: string;
  readonly params: Json;
  readonly channel: Channel;
  readonly handler: CallHandler;
  /** When the time limit strikes, by `performance.now()`; 0 while it does not run. */
  deadline = 0;
  isRunning = false;
  isDone = false;
  /** Undefined where no observer is set, and once it has ended or was taken over. */
  observation: Observation | undefined;
  onPendingClientRequests: ((pending: number) => void) | undefined;
  /** The handler goes on after its request has been answered. */
  #isDetached = false;
  readonly #runtime: Runtime;
  readonly #peer: Peer;
  #controller: AbortController | undefined;
  #reason: RequestAborted | undefined;
  #clientRequests: ClientRequests | undefined;
  #progress: InteractiveContext["progress"] | undefined;
  #log: Log | undefined;
  #trace: TraceContext | undefined;

  constructor(runtime: Runtime, peer: Peer, { id, method, params, channel, handler, key = id }: RequestDetails) {
    this.#runtime = runtime;
    this.#peer = peer;
    this.id = id;
    this.key = key;
    this.method = method;
    this.params = params;
    this.channel = channel;
    this.handler = handler;
  }

  /** The context of a watch outside of any request. */
  static ofWatch(runtime: Runtime, peer: Peer, channel: Channel): RequestContext {
    return new RequestContext(runtime, peer, { id: "", method: "resources/subscribe", params: {}, channel, handler: NO_HANDLER });
  }

  get revision(): Revision {
    return this.#peer.revision;
  }

  get client(): Client {
    return this.#peer.client;
  }

  get isHostConfirmed(): boolean {
    const { name } = this.params;
    if (this.method !== "tools/call" || typeof name !== "string" || this.#peer.hasToolList === false) return false;
    return this.#runtime.table(this.revision).isHostConfirmed(name, this.client);
  }

  get sessionKey(): string | undefined {
    return this.#peer.key;
  }

  get auth(): Auth | undefined {
    return this.channel.auth;
  }

  get http(): HttpRequestInfo | undefined {
    return this.channel.http;
  }

  get mayChange(): boolean {
    return this.handler.mayChange?.(this.params) === true;
  }

  get trace(): TraceContext | undefined {
    this.#trace ??= readTrace(this.params._meta) ?? NO_TRACE;
    return this.#trace === NO_TRACE ? undefined : this.#trace;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Input requests for the next round of the request; undefined in the handshake era, or when there are none. */
  get inputRequests(): InputRequests | undefined {
    return this.#peer.inputRequests;
  }

  get awaitsInput(): boolean {
    return this.inputRequests?.hasPending === true;
  }

  get pendingClientRequests(): number {
    return this.#clientRequests?.pending ?? 0;
  }

  abort(reason: RequestAborted): void {
    this.#reason ??= reason;
    this.#controller?.abort(reason);
    this.#clientRequests?.cancel(reason);
  }

  finish(): void {
    this.isDone = true;
    if (!this.#isDetached) this.#clientRequests?.cancel(requestEnded());
  }

  detach(deliver: DeliverInputRequest): void {
    this.#isDetached = true;
    this.#peer.deliverInputRequests?.(deliver);
  }

  /** Ends the observation, once. Where it was taken over, it ends later. */
  endObservation(end: RequestEnd): void {
    this.takeObservation()?.(end);
  }

  takeObservation(): ((end: RequestEnd) => void) | undefined {
    const { observation, inputRequests } = this;
    if (observation === undefined) return undefined;
    this.observation = undefined;
    const callId = inputRequests?.callId;
    return (end) => observation.ended(callId === undefined ? end : { ...end, callId });
  }

  attach(): void {
    this.#isDetached = false;
    this.#peer.deliverInputRequests?.(undefined);
  }

  fork(channel: Channel): RequestContext {
    const { id, method, params, handler } = this;
    const fork = new RequestContext(this.#runtime, this.#peer, { id, method, params, channel, handler });
    fork.observation = this.observation;
    this.observation = undefined;
    return fork;
  }

  /** The request ends with further client requests. */
  async releaseConfirmation(): Promise<void> {
    await this.#clientRequests?.releaseConfirmation();
  }

  notifySession(text: string): void {
    this.#peer.notify?.(text);
  }

  send(text: string): void {
    this.channel.notify(text);
  }

  // What follows needs no `this`, so that a handler may take it out of its context: `{ progress, elicit }`.

  get progress(): InteractiveContext["progress"] {
    this.#progress ??= progressOf(this.params, (params) => {
      const method = "notifications/progress";
      if (!this.isDone) this.send(notificationText(method, this.revision.encodeParams(method, params)));
    });
    return this.#progress;
  }

  get log(): Log {
    return (this.#log ??= requestLog(this.#runtime, this.#peer, this.trace, (text) => this.isDone || this.send(text)));
  }

  get elicit(): InteractiveContext["elicit"] {
    return this.#requests.elicit;
  }

  get elicitUrl(): InteractiveContext["elicitUrl"] {
    return this.#requests.elicitUrl;
  }

  get sample(): InteractiveContext["sample"] {
    return this.#requests.sample;
  }

  get roots(): InteractiveContext["roots"] {
    return this.#requests.roots;
  }

  get once(): InteractiveContext["once"] {
    return this.#requests.once;
  }

  get #requests(): ClientRequests {
    if (this.#clientRequests === undefined) {
      this.#clientRequests = new ClientRequests(this.#runtime, this.#peer, this);
      if (this.#reason !== undefined) this.#clientRequests.cancel(this.#reason);
      else if (this.isDone && !this.#isDetached) this.#clientRequests.cancel(requestEnded());
    }
    return this.#clientRequests;
  }
}
