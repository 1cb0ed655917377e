// The stateless era: each request declares the client, and ongoing notifications are subscriptions of their own.
// https://modelcontextprotocol.io/specification/2026-07-28/basic
import { findRevision, McpError, REVISIONS, type Json, type LogLevel } from "@oarlock/server-kit/protocol";
import { answerClientRequest } from "../client-requests/client-request-handlers.ts";
import type { ClientConnection } from "../connection/client-connection.ts";
import type { PeerRequestOptions } from "../connection/json-rpc-peer.ts";
import type { RequestOptions } from "../connection/pending-request.ts";
import type { Era, NegotiatedServer } from "../era.ts";
import { asError, ConnectionClosedError, HttpStatusError, InterruptedError, RequestTimeoutError } from "../errors.ts";
import { StatelessTasks } from "../extensions/tasks/stateless-tasks.ts";
import { allChanges, describeMissing, LIST_KINDS, type NotificationFilter } from "../notifications/change-notification.ts";
import { NotificationStream } from "../notifications/notification-stream.ts";
import type { OnUpdate } from "../notifications/watched-resources.ts";
import { pagedList } from "../paged-list.ts";
import { Envelope, unwrapResult } from "./envelope.ts";
import { DISCOVER } from "../meta-keys.ts";
import { requestInRoundTrips } from "./multi-round-trip.ts";
import { ResultCache } from "./result-cache.ts";
import { SubscriptionManager } from "./subscription-manager.ts";
import { SubscriptionRegistry } from "./subscription-registry.ts";
import { supportedVersions } from "./supported-versions.ts";
import { ToolHeaders } from "./tool-headers.ts";

/** Requests to repeat after an interruption. A tool call is not: the tool may have run. */
const REPEATABLE_METHODS = new Set([
  DISCOVER,
  ...["tools/list", "prompts/list", "prompts/get", "resources/list", "resources/templates/list", "resources/read"],
  "completion/complete",
]);

const HEADER_MISMATCH = -32_020;
const DEFAULT_MAX_ROUND_TRIPS = 20;

type RetryReason = "interrupted" | "version" | "headers";

export class StatelessEra implements Era {
  readonly tasks: StatelessTasks | undefined;
  readonly #connection: ClientConnection;
  readonly #envelope: Envelope;
  readonly #cache: ResultCache | undefined;
  readonly #toolHeaders: ToolHeaders;
  readonly #subscriptions: SubscriptionRegistry;
  readonly #manager: SubscriptionManager;

  constructor(connection: ClientConnection, revision: string) {
    const { transport, options, peer } = connection;
    const { cache = {} } = options;
    this.#connection = connection;
    this.#envelope = new Envelope(revision, connection);
    this.#cache = cache === false ? undefined : new ResultCache(cache, async () => transport.cacheIdentity?.());
    this.#toolHeaders = new ToolHeaders(options.onFault);
    this.#subscriptions = new SubscriptionRegistry(connection, (method, params, requestOptions) =>
      this.#request(method, params, requestOptions),
    );
    this.#manager = new SubscriptionManager(connection, this.#subscriptions);
    if (options.tasks !== false)
      this.tasks = new StatelessTasks(connection, this.#subscriptions, (method, params, requestOptions) =>
        this.#request(method, params, requestOptions),
      );
    peer.acceptsRequests = false;
    connection.onNotification = (method, params) => {
      const change = this.#subscriptions.dispatch(method, params);
      if (change !== undefined) this.#cache?.invalidate(change);
    };
  }

  /** Subscribes for `onListChanged`. A server that rejects the subscription is tolerated. */
  async subscribeToLists({ capabilities }: NegotiatedServer): Promise<void> {
    const { options } = this.#connection;
    const lists = LIST_KINDS.filter((list) => capabilities[list]?.listChanged === true);
    if (options.onListChanged === undefined || lists.length === 0) return;
    try {
      await this.#manager.subscribeToLists(Object.fromEntries(lists.map((list) => [list, true])));
    } catch (error) {
      if (error instanceof ConnectionClosedError) throw error;
      options.onFault?.(`The server does not send list change notifications: ${asError(error).message}`);
    }
  }

  request(method: string, params: Json | undefined, options: RequestOptions | undefined): Promise<Json> {
    return this.#request(method, params, options);
  }

  #request(method: string, params: Json | undefined, options: PeerRequestOptions | undefined, isCall = false): Promise<Json> {
    return this.#connection.peer.request(
      method,
      this.#envelope.wrap(params, this.tasks?.declaredFor(method, params ?? {}, isCall)),
      options,
    );
  }

  async requestToCompletion(method: string, params: Json, options: RequestOptions = {}): Promise<Json> {
    const slot = this.#cache?.slotFor(method, params);
    const cached = await slot?.readFresh();
    if (cached !== undefined) return unwrapResult(cached);
    try {
      const { maxTotalMs, closedSignal, handlers, facts } = this.#connection;
      const { result, roundTrips } = await requestInRoundTrips(method, params, options, {
        send: (roundParams, roundOptions) => this.#sendRound(method, roundParams, roundOptions),
        answer: (inputMethod, inputParams, signal) => answerClientRequest(handlers, facts, inputMethod, inputParams, signal),
        maxTotalMs,
        maxRoundTrips: this.#connection.options.maxRounds ?? DEFAULT_MAX_ROUND_TRIPS,
        closedSignal,
      });
      if (roundTrips === 0) await slot?.store(result);
      return unwrapResult(result);
    } catch (error) {
      const stale = isOutage(error) ? await slot?.readStale() : undefined;
      if (stale === undefined) throw error;
      return unwrapResult(stale);
    }
  }

  /** Sends one round of a request; of a call that has become a task, returns the final result. */
  async #sendRound(method: string, params: Json, options: RequestOptions): Promise<Json> {
    const startedAt = performance.now();
    const result = await this.#sendWithRetries(method, params, options);
    if (this.tasks === undefined || method !== "tools/call" || result.resultType !== "task") return result;
    const maxTotalMs = (options.maxTotalMs ?? this.#connection.maxTotalMs) - (performance.now() - startedAt);
    return this.tasks.settle(result, { ...options, maxTotalMs });
  }

  /** Sends a request, and repeats it once for each reason that a repetition can remedy. */
  async #sendWithRetries(method: string, params: Json, options: RequestOptions): Promise<Json> {
    const tried = new Set<RetryReason>();
    for (;;) {
      try {
        const isCall = method === "tools/call" && options.onProgress === undefined;
        const result = await this.#request(method, params, { ...options, headers: this.#headersFor(method, params) }, isCall);
        return method === "tools/list" && this.#usesHeaders ? this.#toolHeaders.readTools(result) : result;
      } catch (error) {
        if (options.signal?.aborted === true) throw error;
        const reason = this.#retryReason(error, method);
        if (reason === undefined || tried.has(reason)) throw error;
        tried.add(reason);
        if (reason === "version" && !this.#useSupportedVersion(error)) throw error;
        if (reason === "headers") await this.#reloadTool(params.name, options.signal);
      }
    }
  }

  get #usesHeaders(): boolean {
    return this.#connection.transport.isStateless === true;
  }

  #headersFor(method: string, { name, arguments: args }: Json): Record<string, string> | undefined {
    return method === "tools/call" && this.#usesHeaders ? this.#toolHeaders.headersOf(name, args) : undefined;
  }

  #retryReason(error: unknown, method: string): RetryReason | undefined {
    if (error instanceof InterruptedError) return REPEATABLE_METHODS.has(method) ? "interrupted" : undefined;
    if (supportedVersions(error) !== undefined) return "version";
    const isHeaderMismatch = error instanceof McpError && error.code === HEADER_MISMATCH;
    return isHeaderMismatch && method === "tools/call" && this.#usesHeaders ? "headers" : undefined;
  }

  /** Continues with a stateless revision that the server supports; false if there is none. */
  #useSupportedVersion(error: unknown): boolean {
    const supported = supportedVersions(error) ?? [];
    const revision = REVISIONS.find((id) => supported.includes(id) && findRevision(id)?.facts.era === "stateless");
    if (revision !== undefined) this.#envelope.revision = revision;
    return revision !== undefined;
  }

  /** Lists tools up to this one: the schema with the parameters to repeat as headers has changed, or is unknown yet. */
  async #reloadTool(tool: unknown, signal: AbortSignal | undefined): Promise<void> {
    this.#cache?.drop("tools/list");
    const options = signal === undefined ? {} : { signal };
    const tools = pagedList<Json>("tools", (params) => this.#sendWithRetries("tools/list", params, options));
    for await (const { name } of tools) if (name === tool) return;
  }

  dropCachedPages(method: string): boolean {
    return this.#cache?.drop(method) === true;
  }

  /** The stateless era has no `ping`; every server answers `server/discover`. */
  async ping(options: RequestOptions | undefined): Promise<void> {
    await this.#request(DISCOVER, {}, options);
  }

  async setLevel(level: LogLevel): Promise<void> {
    this.#envelope.level = level;
  }

  subscribe(uri: string, onUpdate: OnUpdate): Promise<void> {
    return this.#manager.subscribe(uri, onUpdate);
  }

  async unsubscribe(uri: string): Promise<void> {
    this.#manager.unsubscribe(uri);
  }

  listen(filter: NotificationFilter, signal: AbortSignal | undefined): NotificationStream {
    const close = (): void => stream.close();
    let subscription: { close(): void } | undefined;
    const stream: NotificationStream = new NotificationStream(() => {
      signal?.removeEventListener("abort", close);
      subscription?.close();
    });
    signal?.addEventListener("abort", close);
    if (signal?.aborted === true) close();
    else {
      subscription = this.#subscriptions.open(filter, {
        onChange: (change) => stream.push(change),
        onOpen: (accepted, isReopened) => {
          stream.acknowledge(accepted);
          const missing = describeMissing(accepted, filter);
          if (missing !== undefined && !isReopened) this.#connection.options.onFault?.(missing);
          if (isReopened) for (const change of allChanges(accepted)) stream.push(change);
        },
        onEnd: (error) => stream.end(error instanceof ConnectionClosedError ? undefined : error),
      });
    }
    return stream;
  }

  /** A stateless server requests the roots when it needs them, so it gets no notification. */
  rootsChanged(): void {}
}

function isOutage(error: unknown): boolean {
  return (
    error instanceof InterruptedError || error instanceof RequestTimeoutError || (error instanceof HttpStatusError && error.status >= 500)
  );
}
