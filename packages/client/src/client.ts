// One server, by what it offers: tools, resources, prompts, completion, logging. The same in both eras.
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
import { checkedRoots, type Handlers } from "./client-requests/client-request-handlers.ts";
import type { Agreed, Era } from "./era.ts";
import { BadAnswer, NotOffered } from "./errors.ts";
import type { Link } from "./connection/json-rpc-peer.ts";
import type { Listening, ListenTo } from "./notifications/change-notification.ts";
import { listing, type Listing } from "./paged-list.ts";
import type { RequestOptions } from "./connection/pending-request.ts";
import type { OnUpdate } from "./notifications/watched-resources.ts";

/** What a completion is for: an argument of a prompt, or a variable of a template. */
export type CompletionRef = { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string };

/** The first revision whose completion requests carry the arguments that are settled already. */
const COMPLETION_CONTEXT_SINCE = "2025-06-18";
/** The first revision with a word for the capability; before, servers just had it. */
const COMPLETION_DECLARED_SINCE = "2025-03-26";

export class Client implements AsyncDisposable {
  readonly revision: string;
  readonly serverInfo: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
  /** Settles when the connection has ended, with the reason. */
  readonly closed: Promise<Error>;
  readonly #link: Link;
  readonly #handlers: Handlers;
  readonly #era: Era;

  /** Made by `connect`. */
  constructor(agreed: Agreed, inner: { link: Link; handlers: Handlers; era: Era; closed: Promise<Error> }) {
    this.revision = agreed.revision;
    this.serverInfo = agreed.serverInfo;
    this.capabilities = agreed.capabilities;
    this.instructions = agreed.instructions;
    this.closed = inner.closed;
    this.#link = inner.link;
    this.#handlers = inner.handlers;
    this.#era = inner.era;
  }

  /**
   * Any request, as it is: nothing is checked, neither what goes nor what comes. Without handshake it gets its `_meta`, but a
   * result that asks for more is given as it is.
   */
  request(method: string, params?: Json, options?: RequestOptions): Promise<Json> {
    return this.#era.request(method, params, options);
  }

  /** Any notification, as it is. */
  notify(method: string, params?: Json): void {
    this.#link.notify(method, params);
  }

  /** Asks for a sign of life: by ping, or by `server/discover` where there is none. */
  ping(options?: RequestOptions): Promise<void> {
    return this.#era.ping(options);
  }

  // ── tools ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** @example for await (const tool of client.tools()) console.log(tool.name); */
  tools(options?: RequestOptions): Listing<Tool> {
    return this.#list("tools", "tools/list", "tools", options);
  }

  /** Calls a tool. A tool that failed gives a result with `isError`; only protocol errors are thrown. */
  async call(name: string, args: Json = {}, options?: RequestOptions): Promise<CallToolResult> {
    this.#needs("tools");
    const result = await this.#era.ask("tools/call", { name, arguments: args }, options);
    if (!Array.isArray(result.content)) throw new BadAnswer(`The result of ${name} has no content`);
    return result as unknown as CallToolResult; // its content is a list; the rest is the server's word
  }

  // ── resources ─────────────────────────────────────────────────────────────────────────────────────────────────────

  resources(options?: RequestOptions): Listing<Resource> {
    return this.#list("resources", "resources/list", "resources", options);
  }

  templates(options?: RequestOptions): Listing<ResourceTemplate> {
    return this.#list("resources", "resources/templates/list", "resourceTemplates", options);
  }

  async read(uri: string, options?: RequestOptions): Promise<ReadResourceResult> {
    this.#needs("resources");
    const result = await this.#era.ask("resources/read", { uri }, options);
    if (!Array.isArray(result.contents)) throw new BadAnswer(`The answer about ${uri} has no contents`);
    return result as unknown as ReadResourceResult; // its contents are a list; the rest is the server's word
  }

  /**
   * Watches a resource; `onUpdate` hears of it and of what lies below it, until `unsubscribe`. Rejects when the server does
   * not tell of it.
   */
  async subscribe(uri: string, onUpdate: OnUpdate, options?: RequestOptions): Promise<void> {
    if (this.capabilities.resources?.subscribe !== true) throw new NotOffered("resources.subscribe");
    await this.#era.subscribe(uri, onUpdate, options);
  }

  unsubscribe(uri: string, options?: RequestOptions): Promise<void> {
    return this.#era.unsubscribe(uri, options);
  }

  /**
   * News of the server as they come: changes of its lists, and of resources at these addresses or below them. They are
   * gathered from the call on; what waits unread is told once. It ends with the connection, by its signal, or when the
   * server ends it; where news may have been missed, all that is listened to is told once.
   * @example
   * for await (const news of client.listen({ tools: true, uris: ["file:///notes"] })) console.log(news.kind);
   */
  listen(to: ListenTo, { signal }: { signal?: AbortSignal } = {}): Listening {
    return this.#era.listen(to, signal);
  }

  // ── prompts and completion ────────────────────────────────────────────────────────────────────────────────────────

  prompts(options?: RequestOptions): Listing<Prompt> {
    return this.#list("prompts", "prompts/list", "prompts", options);
  }

  async prompt(name: string, args: Readonly<Record<string, string>> = {}, options?: RequestOptions): Promise<GetPromptResult> {
    this.#needs("prompts");
    const result = await this.#era.ask("prompts/get", { name, arguments: args }, options);
    if (!Array.isArray(result.messages)) throw new BadAnswer(`The prompt ${name} has no messages`);
    return result as unknown as GetPromptResult; // its messages are a list; the rest is the server's word
  }

  /**
   * Values for what was typed so far. `settled` are the arguments that have their value already; revisions that do not
   * know them are not told.
   */
  async complete(
    ref: CompletionRef,
    argument: { name: string; value: string },
    settled?: Readonly<Record<string, string>>,
    options?: RequestOptions,
  ): Promise<CompleteResult["completion"]> {
    if (this.revision >= COMPLETION_DECLARED_SINCE) this.#needs("completions");
    const told = settled !== undefined && this.revision >= COMPLETION_CONTEXT_SINCE;
    const { completion } = await this.#era.ask(
      "completion/complete",
      { ref, argument, ...(told && { context: { arguments: settled } }) },
      options,
    );
    const { values, total, hasMore } = isObject(completion) ? completion : {};
    const texts = Array.isArray(values) ? values.filter((value) => typeof value === "string") : [];
    return { values: texts, ...(typeof total === "number" && { total }), ...(typeof hasMore === "boolean" && { hasMore }) };
  }

  // ── session ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Log entries below this level stay away from here on. Without handshake none come before this is called. */
  async setLevel(level: LogLevel, options?: RequestOptions): Promise<void> {
    this.#needs("logging");
    await this.#era.setLevel(level, options);
  }

  /** Offers other folders from here on, and tells the server where it can be told. Roots must have been offered when connecting. */
  setRoots(roots: readonly Root[]): void {
    if (this.#handlers.roots === undefined) throw new TypeError("This client was connected without roots");
    this.#handlers.roots = checkedRoots(roots);
    this.#era.rootsChanged();
  }

  /** Ends the session and, where it was started for it, the server. */
  close(): Promise<void> {
    return this.#link.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #list<T extends object>(need: "tools" | "resources" | "prompts", method: string, key: string, options?: RequestOptions): Listing<T> {
    return listing<T>(
      key,
      async (params) => {
        this.#needs(need);
        return this.#era.ask(method, params, options);
      },
      () => this.#era.forget?.(method) === true,
    );
  }

  #needs(capability: "tools" | "resources" | "prompts" | "completions" | "logging"): void {
    if (!isObject(this.capabilities[capability])) throw new NotOffered(capability);
  }
}
