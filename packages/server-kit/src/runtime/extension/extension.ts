// Extension: what an extension module adds to a server. The core knows extensions by this interface only.
// https://modelcontextprotocol.io/seps/2133-extensions
import type { Awaitable } from "../../features/awaitable.ts";
import type { Client, Context } from "../../features/context.ts";
import { typeOf } from "../../features/content.ts";
import type { PromptDefinition } from "../../features/prompts.ts";
import type { Registry } from "../../features/registry.ts";
import type { ResourceDefinition } from "../../features/resources/resource-types.ts";
import type { ToolDefinition } from "../../features/tools/tools.ts";
import type { TraceContext } from "../../protocol/trace.ts";
import type { Implementation, LogLevel } from "../../protocol/types.ts";
import type { Revision } from "../../revisions/index.ts";
import { isObject, type Json } from "../../wire/json-rpc.ts";
import type { Limits } from "../limits.ts";
import type { Outcome } from "../request/outcome.ts";
import type { CallHandler } from "../request/request-handler.ts";
import type { ExtensionContext } from "./extension-context.ts";

/** A handler of an extension. */
export interface ExtensionHandler extends CallHandler {
  run(params: Json, ctx: ExtensionContext): Awaitable<object>;
}

/** A request method that an extension adds. */
export interface ExtensionMethod extends ExtensionHandler {
  /** The member of params that the header `Mcp-Name` repeats. Default: the method has none. */
  nameMember?: string;
}

/** One key of the filter of `subscriptions/listen`. https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/subscriptions */
export interface SubscriptionFilter {
  /** Throws an error (`invalidParams`) when the value under this key is not of the expected type. */
  check(value: unknown, ctx: Context): void;
  /** Begins to watch. `notify` sends a notification of this subscription; what it sends before the acknowledgement follows after it. */
  open(value: unknown, ctx: Context, notify: (method: string, params: Json) => void): Promise<OpenFilter>;
}

/** A filter key in use. */
export interface OpenFilter {
  /** The part of the value that is accepted, for the acknowledgement; undefined for nothing. */
  readonly accepted: unknown;
  /** Ends the notifications. Called once. */
  close(): void;
}

/** What an extension adds to the revisions that have it. */
export interface ExtensionParts {
  /** Members of the server's capabilities besides `extensions`, where the server itself does not declare them. */
  readonly capabilities?: Json;
  /** Request methods. Their prefix belongs to the extension. */
  readonly methods?: Readonly<Record<string, ExtensionMethod>>;
  /** Keys of the filter of `subscriptions/listen`. */
  readonly filters?: Readonly<Record<string, SubscriptionFilter>>;
  /** Handlers that replace those of other methods, such as `tools/call`; each gets the one it replaces. A result may have a `resultType`. */
  readonly handlers?: Readonly<Record<string, (next: CallHandler) => ExtensionHandler>>;
  /** Changes a page of a list, such as `tools/list`, in the shape of the client's revision. Depends on the client by `listVariant` only. */
  readonly lists?: Readonly<Record<string, (page: Json, client: Client) => Json>>;
  /** Names the variant of the lists that a client gets. Pages are kept for each, and no cache may share them. Default: one for all clients. */
  readonly listVariant?: (client: Client) => string;
  /**
   * Whether the host of this client asks its user before each call of this tool. `confirm` then needs no elicitation where the client has
   * none. Default: no host does.
   */
  readonly isHostConfirmed?: (tool: string, client: Client) => boolean;
}

/** An extension of one running server. */
export interface RunningExtension extends ExtensionParts {
  /**
   * Whether a request of this caller concerns work that may change something, by method: it then needs the scope for writing. Default: the
   * methods of the extension need the scope for reading.
   */
  readonly mayChange?: Readonly<Record<string, (params: Json, principal: string) => Promise<boolean>>>;
  /** Parts for a revision before `since` that has the same feature in another form. Default: none. */
  older?(revision: Revision): ExtensionParts | undefined;
  /** Awaits work that goes on after its request, but not longer than `maxMs`. Called before the server leaves other processes that take over its clients. */
  settle?(maxMs: number): Promise<void>;
  /** Called when the server has ended its connections, before its own `close`. */
  close?(): Promise<void>;
}

/** The running server, as extensions see it. */
export interface ExtensionHost {
  readonly info: Implementation;
  readonly tools: Registry<ToolDefinition>;
  readonly resources: Registry<ResourceDefinition>;
  readonly prompts: Registry<PromptDefinition>;
  readonly limits: Readonly<Limits>;
  /**
   * What the transport provides for the extension with this id, such as storage that several processes use, in a type that both have agreed on;
   * undefined for nothing.
   */
  provided(id: string): unknown;
  /** Writes to the operator's log. */
  log(level: LogLevel, data: unknown, trace?: TraceContext): void;
  /** Awaits what the handler of a request returned, as data that can be kept. Never rejects. */
  outcomeOf(request: ExtensionContext, returned: PromiseLike<object>): Promise<Outcome>;
  /** The outcome of a request whose handler threw this. Reports the details of unexpected errors to the operator's log. */
  failedOutcome(request: ExtensionContext, error: unknown): Outcome;
}

/**
 * An extension of the protocol, for `defineServer({ extensions })`. A client sees it in the revisions that may have it, and its parts exist
 * there only.
 * @example
 * const weather: Extension = {
 *   id: "com.example/weather",
 *   since: "2026-07-28",
 *   start: () => ({ methods: { "weather/now": { run: () => ({ sky: "clear" }) } } }),
 * };
 */
export interface Extension {
  /** `vendor-prefix/name`, with the prefix in reverse DNS. `io.modelcontextprotocol/` is reserved for official extensions. */
  readonly id: string;
  /** The oldest revision in which the extension may appear. */
  readonly since: string;
  /** The server's settings, which are declared in its capabilities. Default `{}`. */
  readonly settings?: Json;
  /** Whether methods and filters are refused, with error -32021, to clients that did not declare the extension. Default false. */
  readonly requiresClient?: boolean;
  /**
   * Whether `initialize` declares the extension only to clients that declare it, so that others get the same reply as from a server without
   * it. Default false.
   */
  readonly declaredOnRequest?: boolean;
  /** False for additions beside the extensions of the protocol: capabilities never name them. Default true. */
  readonly isDeclared?: boolean;
  /** Throws a TypeError for a tool that a server with this extension cannot have, because of what it has added. Default: it can have any. */
  checkTool?(tool: ToolDefinition): void;
  /** Called once for each running server. Default: the extension consists of its declaration. */
  start?(host: ExtensionHost): RunningExtension;
}

const ID = /^[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?\/[a-zA-Z0-9](?:[a-zA-Z0-9._-]*[a-zA-Z0-9])?$/;

/** Throws a TypeError for another value than an extension, and when the id is not `vendor-prefix/name`. */
export function checkExtension(extension: unknown): void {
  if (!isObject(extension))
    throw new TypeError(`Extension is ${typeOf(extension)}: expected an object with an id. Call the function that makes it.`);
  const { id } = extension;
  if (typeof id !== "string" || !ID.test(id))
    throw new TypeError(`Extension id ${JSON.stringify(id)} is invalid: expected vendor-prefix/name.`);
}
