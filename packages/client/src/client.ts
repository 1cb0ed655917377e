// The client of one server: tools, resources, prompts, completion and logging. The same in both eras.
// https://modelcontextprotocol.io/specification/2026-07-28/server
import {
  isObject,
  type CallToolResult,
  type CompleteResult,
  type GetPromptResult,
  type Implementation,
  type Json,
  type LogLevel,
  type Prompt,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplate,
  type Root,
  type ServerCapabilities,
  type Tool,
} from "@oarlock/server-kit/protocol";
import { toCallResult } from "./call-result.ts";
import { checkedRoots } from "./client-requests/client-request-handlers.ts";
import type { ClientConnection } from "./connection/client-connection.ts";
import type { RequestOptions } from "./connection/pending-request.ts";
import type { Era, NegotiatedServer } from "./era.ts";
import { InvalidResponseError, UnsupportedCapabilityError } from "./errors.ts";
import { TASKS } from "./extensions/tasks/task.ts";
import type { Tasks } from "./extensions/tasks/tasks.ts";
import type { NotificationFilter } from "./notifications/change-notification.ts";
import type { NotificationStream } from "./notifications/notification-stream.ts";
import type { OnUpdate } from "./notifications/watched-resources.ts";
import { pagedList, type PagedList } from "./paged-list.ts";

/** The subject of a completion: an argument of a prompt, or a variable of a resource template. */
export type CompletionRef = { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string };

/** The first revision whose completion requests have a `context` with the other arguments. */
const COMPLETION_CONTEXT_SINCE = "2025-06-18";
/** The first revision with a capability for completion; before, any server could support it. */
const COMPLETION_CAPABILITY_SINCE = "2025-03-26";

export class Client implements AsyncDisposable {
  readonly revision: string;
  readonly serverInfo: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
  /** Resolves with the reason when the connection has closed. */
  readonly closed: Promise<Error>;
  readonly #connection: ClientConnection;
  readonly #era: Era;

  /** Created by `connect`. */
  constructor(server: NegotiatedServer, connection: ClientConnection, era: Era) {
    this.revision = server.revision;
    this.serverInfo = server.serverInfo;
    this.capabilities = server.capabilities;
    this.instructions = server.instructions;
    this.closed = connection.closed;
    this.#connection = connection;
    this.#era = era;
  }

  /**
   * Sends any request and returns its result, both without validation. In stateless revisions `_meta` is added, and a result with
   * input requests is returned as it is.
   */
  request(method: string, params?: Json, options?: RequestOptions): Promise<Json> {
    return this.#era.request(method, params, options);
  }

  /** Sends any notification, without validation. */
  notify(method: string, params?: Json): void {
    this.#connection.peer.notify(method, params);
  }

  /** Checks that the server responds: by `ping`, or by `server/discover` in stateless revisions. */
  ping(options?: RequestOptions): Promise<void> {
    return this.#era.ping(options);
  }

  // ── tools ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** @example for await (const tool of client.tools()) console.log(tool.name); */
  tools(options?: RequestOptions): PagedList<Tool> {
    return this.#list("tools", "tools/list", "tools", options);
  }

  /** Calls a tool. A tool that fails returns a result with `isError`; only protocol errors are thrown. */
  async call(name: string, args: Json = {}, options?: RequestOptions): Promise<CallToolResult> {
    this.#requireCapability("tools");
    const result = await this.#era.requestToCompletion("tools/call", { name, arguments: args }, options);
    return toCallResult(result, `tool ${name}`);
  }

  /**
   * The tasks that earlier calls have become, by the ids that `onTask` received.
   * @throws UnsupportedCapabilityError when the server has no tasks, in revisions with a handshake, and with `tasks: false`.
   * @example const { content } = await client.tasks.resume(storedId);
   */
  get tasks(): Tasks {
    const { tasks } = this.#era;
    if (tasks === undefined || !isObject(this.capabilities.extensions?.[TASKS])) throw new UnsupportedCapabilityError("tasks");
    return tasks;
  }

  // ── resources ─────────────────────────────────────────────────────────────────────────────────────────────────────

  resources(options?: RequestOptions): PagedList<Resource> {
    return this.#list("resources", "resources/list", "resources", options);
  }

  templates(options?: RequestOptions): PagedList<ResourceTemplate> {
    return this.#list("resources", "resources/templates/list", "resourceTemplates", options);
  }

  async read(uri: string, options?: RequestOptions): Promise<ReadResourceResult> {
    this.#requireCapability("resources");
    const result = await this.#era.requestToCompletion("resources/read", { uri }, options);
    if (!Array.isArray(result.contents)) throw new InvalidResponseError(`Invalid result for resource ${uri}: expected contents`);
    return result as unknown as ReadResourceResult; // its contents are an array; other members are not validated
  }

  /**
   * Subscribes to a resource: calls `onUpdate` when it or a resource below it has changed, until `unsubscribe`. Rejects if the server
   * does not support subscriptions to this resource.
   */
  async subscribe(uri: string, onUpdate: OnUpdate, options?: RequestOptions): Promise<void> {
    if (this.capabilities.resources?.subscribe !== true) throw new UnsupportedCapabilityError("resources.subscribe");
    await this.#era.subscribe(uri, onUpdate, options);
  }

  unsubscribe(uri: string, options?: RequestOptions): Promise<void> {
    return this.#era.unsubscribe(uri, options);
  }

  /**
   * Returns a stream of change notifications: of the server's lists, and of resources with these URIs or below them. Notifications are
   * buffered from the call on; an unread one is not buffered twice. The stream ends with the connection, the abort of its signal, or
   * by the server. After an interruption it reports a change of everything in the filter.
   * @example
   * for await (const change of client.listen({ tools: true, uris: ["file:///notes"] })) console.log(change.kind);
   */
  listen(filter: NotificationFilter, { signal }: { signal?: AbortSignal } = {}): NotificationStream {
    return this.#era.listen(filter, signal);
  }

  // ── prompts and completion ────────────────────────────────────────────────────────────────────────────────────────

  prompts(options?: RequestOptions): PagedList<Prompt> {
    return this.#list("prompts", "prompts/list", "prompts", options);
  }

  async prompt(name: string, args: Readonly<Record<string, string>> = {}, options?: RequestOptions): Promise<GetPromptResult> {
    this.#requireCapability("prompts");
    const result = await this.#era.requestToCompletion("prompts/get", { name, arguments: args }, options);
    if (!Array.isArray(result.messages)) throw new InvalidResponseError(`Invalid result of prompt ${name}: expected messages`);
    return result as unknown as GetPromptResult; // its messages are an array; other members are not validated
  }

  /**
   * Values that complete a partial argument. `context` are the other arguments that have a value; it is omitted in revisions that do
   * not know it.
   */
  async complete(
    ref: CompletionRef,
    argument: { name: string; value: string },
    context?: Readonly<Record<string, string>>,
    options?: RequestOptions,
  ): Promise<CompleteResult["completion"]> {
    if (this.revision >= COMPLETION_CAPABILITY_SINCE) this.#requireCapability("completions");
    const sendsContext = context !== undefined && this.revision >= COMPLETION_CONTEXT_SINCE;
    const params = { ref, argument, ...(sendsContext && { context: { arguments: context } }) };
    const { completion } = await this.#era.requestToCompletion("completion/complete", params, options);
    const { values, total, hasMore } = isObject(completion) ? completion : {};
    const texts = Array.isArray(values) ? values.filter((value) => typeof value === "string") : [];
    return { values: texts, ...(typeof total === "number" && { total }), ...(typeof hasMore === "boolean" && { hasMore }) };
  }

  // ── logging, roots, end ───────────────────────────────────────────────────────────────────────────────────────────

  /** Sets the minimum level of log messages. In stateless revisions the server sends none before this call. */
  async setLevel(level: LogLevel, options?: RequestOptions): Promise<void> {
    this.#requireCapability("logging");
    await this.#era.setLevel(level, options);
  }

  /** Replaces the roots and notifies the server of a session. Throws if the client was connected without roots. */
  setRoots(roots: readonly Root[]): void {
    const { handlers } = this.#connection;
    if (handlers.roots === undefined) throw new TypeError("This client was connected without roots: expected the option roots of connect");
    handlers.roots = checkedRoots(roots);
    this.#era.rootsChanged();
  }

  /** Closes the connection, and stops the server process that `connect` has started. */
  close(): Promise<void> {
    return this.#connection.peer.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #list<T extends object>(
    capability: "tools" | "resources" | "prompts",
    method: string,
    key: string,
    options?: RequestOptions,
  ): PagedList<T> {
    const request = async (params: Json): Promise<Json> => {
      this.#requireCapability(capability);
      return this.#era.requestToCompletion(method, params, options);
    };
    return pagedList<T>(key, request, () => this.#era.dropCachedPages?.(method) === true);
  }

  #requireCapability(capability: "tools" | "resources" | "prompts" | "completions" | "logging"): void {
    if (!isObject(this.capabilities[capability])) throw new UnsupportedCapabilityError(capability);
  }
}
