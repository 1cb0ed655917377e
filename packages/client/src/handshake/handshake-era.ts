// The handshake era: a session in which the server remembers subscriptions and the log level.
// https://modelcontextprotocol.io/specification/2025-11-25/server
import { McpError, type Json, type LogLevel, type ServerCapabilities } from "@oarlock/server-kit/protocol";
import type { ClientConnection } from "../connection/client-connection.ts";
import type { RequestOptions } from "../connection/pending-request.ts";
import type { Era } from "../era.ts";
import { asError, ConnectionClosedError } from "../errors.ts";
import { describeMissing, LIST_KINDS, matchesFilter, toChange, type NotificationFilter } from "../notifications/change-notification.ts";
import { NotificationStream } from "../notifications/notification-stream.ts";
import { WatchedResources, type OnUpdate } from "../notifications/watched-resources.ts";

export class HandshakeEra implements Era {
  readonly #connection: ClientConnection;
  readonly #capabilities: ServerCapabilities;
  readonly #watched = new WatchedResources();
  readonly #streams = new Map<NotificationStream, NotificationFilter>();
  /** The log level that was set in this session. */
  #level: LogLevel | undefined;

  constructor(connection: ClientConnection, capabilities: ServerCapabilities) {
    this.#connection = connection;
    this.#capabilities = capabilities;
    connection.onNotification = (method, params) => this.#dispatch(method, params);
    void connection.closed.then(() => {
      for (const stream of this.#streams.keys()) stream.end();
    });
  }

  #dispatch(method: string, params: Json): void {
    const change = toChange(method, params);
    if (change === undefined) return;
    if (change.kind === "updated") this.#watched.updated(change.uri);
    else this.#connection.options.onListChanged?.(change.kind);
    for (const [stream, filter] of this.#streams) if (matchesFilter(filter, change)) stream.push(change);
  }

  request(method: string, params: Json | undefined, options?: RequestOptions): Promise<Json> {
    return this.#connection.peer.request(method, params, options);
  }

  requestToCompletion(method: string, params: Json, options: RequestOptions | undefined): Promise<Json> {
    return this.request(method, params, options);
  }

  async ping(options: RequestOptions | undefined): Promise<void> {
    await this.request("ping", undefined, options);
  }

  async setLevel(level: LogLevel, options: RequestOptions | undefined): Promise<void> {
    await this.request("logging/setLevel", { level }, options);
    this.#level = level;
  }

  rootsChanged(): void {
    this.#connection.peer.notify("notifications/roots/list_changed");
  }

  // ── subscriptions ─────────────────────────────────────────────────────────────────────────────────────────────────

  async subscribe(uri: string, onUpdate: OnUpdate, options?: RequestOptions): Promise<void> {
    // Set before the request: a notification may directly follow the response.
    this.#watched.set(uri, onUpdate);
    try {
      await this.request("resources/subscribe", { uri }, options);
    } catch (error) {
      this.#watched.delete(uri);
      throw error;
    }
  }

  async unsubscribe(uri: string, options?: RequestOptions): Promise<void> {
    this.#watched.delete(uri);
    if (!this.#hasStreamFor(uri)) await this.request("resources/unsubscribe", { uri }, options);
  }

  #hasStreamFor(uri: string): boolean {
    return [...this.#streams.values()].some(({ uris = [] }) => uris.includes(uri));
  }

  listen(filter: NotificationFilter, signal: AbortSignal | undefined): NotificationStream {
    const close = (): void => stream.close();
    const stream: NotificationStream = new NotificationStream(() => {
      signal?.removeEventListener("abort", close);
      this.#streams.delete(stream);
      this.#unsubscribeUnused(filter.uris ?? []);
    });
    this.#streams.set(stream, filter);
    signal?.addEventListener("abort", close);
    if (signal?.aborted === true) close();
    else void this.#open(stream, filter);
    return stream;
  }

  async #open(stream: NotificationStream, filter: NotificationFilter): Promise<void> {
    try {
      stream.acknowledge(await this.#subscribeTo(filter));
    } catch (error) {
      this.#streams.delete(stream);
      stream.end(error instanceof ConnectionClosedError ? undefined : asError(error));
    }
  }

  /** Subscribes to the resources of a filter; returns the part of the filter that the server accepts. Rejects when a request does not reach it. */
  async #subscribeTo(filter: NotificationFilter): Promise<NotificationFilter> {
    const lists = LIST_KINDS.filter((list) => filter[list] === true && this.#capabilities[list]?.listChanged === true);
    const accepted: NotificationFilter = Object.fromEntries(lists.map((list) => [list, true]));
    const uris: string[] = [];
    const subscribing = (filter.uris ?? []).map(async (uri) => {
      try {
        await this.request("resources/subscribe", { uri });
        uris.push(uri);
      } catch (error) {
        if (!(error instanceof McpError)) throw error; // an error response is a refusal
      }
    });
    await Promise.all(subscribing);
    if (uris.length > 0) accepted.uris = uris;
    const missing = describeMissing(accepted, filter);
    if (missing !== undefined && !this.#connection.peer.isClosed) this.#connection.options.onFault?.(missing);
    return accepted;
  }

  #unsubscribeUnused(uris: readonly string[]): void {
    if (this.#connection.peer.isClosed) return;
    for (const uri of uris) {
      if (!this.#watched.has(uri) && !this.#hasStreamFor(uri)) void this.request("resources/unsubscribe", { uri }).catch(() => undefined);
    }
  }

  /** Restores subscriptions and log level in a new session. Reports those that the server rejects. */
  async restoreSubscriptions(): Promise<void> {
    const { onFault } = this.#connection.options;
    const uris = new Set([...this.#watched.uris, ...[...this.#streams.values()].flatMap(({ uris = [] }) => uris)]);
    const requests: [method: string, params: Json][] = [...uris].map((uri) => ["resources/subscribe", { uri }]);
    if (this.#level !== undefined) requests.push(["logging/setLevel", { level: this.#level }]);
    const restoring = requests.map(async ([method, params]) => {
      try {
        await this.request(method, params);
      } catch (error) {
        onFault?.(`${method} failed in the new session: ${asError(error).message}`);
      }
    });
    await Promise.all(restoring);
  }
}
