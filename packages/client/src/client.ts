// A session with one server, by what it offers: tools, resources, prompts, completion, logging.
// https://modelcontextprotocol.io/specification/2025-11-25/server
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
import { checkedRoots, type Handlers } from "./answer.ts";
import { BadAnswer, NotOffered } from "./errors.ts";
import type { Link } from "./link.ts";
import { listing, type Listing } from "./pages.ts";
import type { RequestOptions } from "./waiting.ts";
import type { OnUpdate, Watchers } from "./watchers.ts";

/** What the handshake settled. */
export interface Agreed {
  revision: string;
  serverInfo: Implementation;
  capabilities: ServerCapabilities;
  instructions?: string;
}

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
  readonly #watchers: Watchers;

  /** Made by `connect`. */
  constructor(agreed: Agreed, inner: { link: Link; handlers: Handlers; watchers: Watchers; closed: Promise<Error> }) {
    this.revision = agreed.revision;
    this.serverInfo = agreed.serverInfo;
    this.capabilities = agreed.capabilities;
    this.instructions = agreed.instructions;
    this.closed = inner.closed;
    this.#link = inner.link;
    this.#handlers = inner.handlers;
    this.#watchers = inner.watchers;
  }

  /** Any request, as it is: nothing is checked, neither what goes nor what comes. */
  request(method: string, params?: Json, options?: RequestOptions): Promise<Json> {
    return this.#link.request(method, params, options);
  }

  /** Any notification, as it is. */
  notify(method: string, params?: Json): void {
    this.#link.notify(method, params);
  }

  async ping(options?: RequestOptions): Promise<void> {
    await this.request("ping", undefined, options);
  }

  // ── tools ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** @example for await (const tool of client.tools()) console.log(tool.name); */
  tools(options?: RequestOptions): Listing<Tool> {
    return this.#list("tools", "tools/list", "tools", options);
  }

  /** Calls a tool. A tool that failed gives a result with `isError`; only protocol errors are thrown. */
  async call(name: string, args: Json = {}, options?: RequestOptions): Promise<CallToolResult> {
    this.#needs("tools");
    const result = await this.request("tools/call", { name, arguments: args }, options);
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
    const result = await this.request("resources/read", { uri }, options);
    if (!Array.isArray(result.contents)) throw new BadAnswer(`The answer about ${uri} has no contents`);
    return result as unknown as ReadResourceResult; // its contents are a list; the rest is the server's word
  }

  /** Watches a resource; `onUpdate` hears of it and of what lies below it, until `unsubscribe`. */
  async subscribe(uri: string, onUpdate: OnUpdate, options?: RequestOptions): Promise<void> {
    if (this.capabilities.resources?.subscribe !== true) throw new NotOffered("resources.subscribe");
    // Before the answer: a change may be told right behind it.
    this.#watchers.set(uri, onUpdate);
    try {
      await this.request("resources/subscribe", { uri }, options);
    } catch (error) {
      this.#watchers.delete(uri);
      throw error;
    }
  }

  async unsubscribe(uri: string, options?: RequestOptions): Promise<void> {
    this.#watchers.delete(uri);
    await this.request("resources/unsubscribe", { uri }, options);
  }

  // ── prompts and completion ────────────────────────────────────────────────────────────────────────────────────────

  prompts(options?: RequestOptions): Listing<Prompt> {
    return this.#list("prompts", "prompts/list", "prompts", options);
  }

  async prompt(name: string, args: Readonly<Record<string, string>> = {}, options?: RequestOptions): Promise<GetPromptResult> {
    this.#needs("prompts");
    const result = await this.request("prompts/get", { name, arguments: args }, options);
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
    const { completion } = await this.request(
      "completion/complete",
      { ref, argument, ...(told && { context: { arguments: settled } }) },
      options,
    );
    const { values, total, hasMore } = isObject(completion) ? completion : {};
    const texts = Array.isArray(values) ? values.filter((value) => typeof value === "string") : [];
    return { values: texts, ...(typeof total === "number" && { total }), ...(typeof hasMore === "boolean" && { hasMore }) };
  }

  // ── session ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Log entries below this level stay away from here on. */
  async setLevel(level: LogLevel, options?: RequestOptions): Promise<void> {
    this.#needs("logging");
    await this.request("logging/setLevel", { level }, options);
  }

  /** Offers other folders from here on, and tells the server. Roots must have been offered when connecting. */
  setRoots(roots: readonly Root[]): void {
    if (this.#handlers.roots === undefined) throw new TypeError("This client was connected without roots");
    this.#handlers.roots = checkedRoots(roots);
    this.notify("notifications/roots/list_changed");
  }

  /** Ends the session and, where it was started for it, the server. */
  close(): Promise<void> {
    return this.#link.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #list<T>(need: "tools" | "resources" | "prompts", method: string, key: string, options?: RequestOptions): Listing<T> {
    return listing<T>(key, async (params) => {
      this.#needs(need);
      return this.request(method, params, options);
    });
  }

  #needs(capability: "tools" | "resources" | "prompts" | "completions" | "logging"): void {
    if (!isObject(this.capabilities[capability])) throw new NotOffered(capability);
  }
}
