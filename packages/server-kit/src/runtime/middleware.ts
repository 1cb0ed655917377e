// Middleware: what an author puts around lists and requests, for all callers or for each. A server without any does not pass through here.
import type { Awaitable } from "../features/awaitable.ts";
import { typeOf } from "../features/content.ts";
import { pageOf } from "../features/paging.ts";
import type { Context, InteractiveContext } from "../features/context.ts";
import type { Registry } from "../features/registry.ts";
import { findResource } from "../features/resources/resource-requests.ts";
import type { ResourceDefinition } from "../features/resources/resource-types.ts";
import { nameInMessage } from "../features/schema/schema.ts";
import { invalidParams, resourceNotFound } from "../protocol/errors.ts";
import type { Prompt, Resource, ResourceTemplate, Tool } from "../protocol/types.ts";
import { isObject, type Json } from "../wire/json-rpc.ts";
import { isListHandler, type Caller, type CallHandler, type RequestHandler } from "./request/request-handler.ts";
import { decodeResult } from "./request/result-text.ts";

/** An entry of a list. */
export type ListItem = Tool | Resource | ResourceTemplate | Prompt;

/** The context of a list; `method` names it, such as `tools/list`. */
export interface ListContext extends Context {
  readonly method: string;
}

/** A request on its way to its handler. */
export interface MiddlewareRequest {
  /** `tools/call`, `prompts/get` or `resources/read`. */
  readonly method: string;
  readonly params: Json;
  readonly ctx: InteractiveContext;
}

/**
 * Changes lists and requests: leaves out, renames, describes, logs, times, denies. Of several the first one is the outermost.
 * @example
 * const readersOnly: Middleware = {
 *   list: (items, ctx) => items.filter((item) => ctx.auth?.principal === "admin" || !item.name.startsWith("admin_")),
 *   call: async (request, next) => {
 *     console.error(request.method);
 *     return next();
 *   },
 * };
 */
export interface Middleware {
  /** Returns the entries that the caller may know. It can use no others; a resource of a template that it does not know belongs to those. */
  list?<T extends ListItem>(items: readonly T[], ctx: ListContext): Awaitable<readonly T[]>;
  /** Whether it concerns a request, so that the lists of all others stay those of all callers. Default: it concerns every request. */
  isFor?(caller: Caller): boolean;
  /** Returns a result, by `next` or of its own, or throws. `next` takes other params in place of those of the request. */
  call?(request: MiddlewareRequest, next: (params?: Json) => Promise<object>): Awaitable<object>;
}

/** One list of a server. Only resources depend on the client. */
export interface ListSource<Items = (ctx: Context) => Awaitable<readonly ListItem[]>> {
  /** The member of the result. */
  readonly key: string;
  /** Names the list in cursors. */
  readonly kind: string;
  readonly items: Items;
  idOf(item: ListItem): string;
}

type PlainList = "tools/list" | "resources/templates/list" | "prompts/list";

export type ListSources = Readonly<Record<PlainList, ListSource<() => readonly ListItem[]>> & Record<"resources/list", ListSource>>;

/** One page of a list. */
export function pageOfList(
  { key, kind, idOf }: Omit<ListSource, "items">,
  all: readonly ListItem[],
  cursor: unknown,
  pageSize: number,
): Json {
  const { items, ...rest } = pageOf(kind, all, idOf, cursor, pageSize);
  return { [key]: items, ...rest };
}

/** What middleware makes of the lists and handlers of a server. */
export class MiddlewareChain {
  readonly #middleware: readonly Middleware[];
  readonly #sources: ListSources;
  readonly #resources: Registry<ResourceDefinition>;

  constructor(middleware: readonly Middleware[], sources: ListSources, resources: Registry<ResourceDefinition>) {
    for (const one of middleware as readonly unknown[]) {
      if (isObject(one)) continue;
      const example = "{ call: (request, next) => next() }";
      throw new TypeError(`Invalid middleware: expected an object with list or call, such as ${example}, got ${typeOf(one)}.`);
    }
    this.#middleware = middleware;
    this.#sources = sources;
    this.#resources = resources;
  }

  /** The handler of a method with everything around it. `hints`: the cache members of a list that depends on its caller. */
  around(method: string, handler: RequestHandler, { pageSize, hints }: { pageSize: number; hints: Json }): RequestHandler {
    if (isList(method)) {
      const run = async (params: Json, ctx: Context): Promise<Json> => ({
        ...pageOfList(this.#sources[method], await this.#known(method, ctx), params.cursor, pageSize),
        ...hints,
      });
      const concerns = (caller: Caller): boolean => this.#changesLists(caller);
      if (isListHandler(handler)) return { ...handler, forCaller: { handler: { run }, concerns } };
      return { run: (params, ctx) => (concerns(ctx) ? run(params, ctx) : handler.run(params, ctx)) };
    }
    if (isListHandler(handler)) return handler;
    const surrounded: CallHandler["run"] = async (params, ctx) => {
      await this.#check(method, params, ctx);
      return AROUND.has(method) ? this.#chained(method, handler, ctx)(params, ctx) : handler.run(params, ctx);
    };
    return {
      ...handler,
      run: (params, ctx) => (this.#of(ctx).length === 0 ? handler.run(params, ctx) : surrounded(params, ctx)),
    };
  }

  /** The middleware that a request passes. */
  #of(caller: Caller): readonly Middleware[] {
    return this.#middleware.filter((one) => one.isFor === undefined || one.isFor(caller));
  }

  #changesLists(caller: Caller): boolean {
    return this.#of(caller).some(({ list }) => list !== undefined);
  }

  #chained(method: string, handler: CallHandler, caller: Caller): CallHandler["run"] {
    return this.#of(caller).reduceRight<CallHandler["run"]>(
      (next, one) => (params, ctx) =>
        one.call === undefined
          ? next(params, ctx)
          : resultOf(
              one.call({ method, params, ctx }, async (changed = params) => decodeResult(await next(changed, ctx))),
              method,
            ),
      (params, ctx) => handler.run(params, ctx),
    );
  }

  /** The entries that a caller knows. */
  async #known(method: keyof ListSources, { signal, client, auth, http, trace, progress, log }: Context): Promise<readonly ListItem[]> {
    const ctx: ListContext = { method, signal, client, auth, http, trace, progress, log };
    let items = await this.#sources[method].items(ctx);
    for (const one of this.#of(ctx)) if (one.list !== undefined) items = entriesOf(await one.list(items, ctx), method);
    return items;
  }

  /** Throws as for an unknown entry when the caller does not know the one that a request names. */
  async #check(method: string, params: Json, ctx: Context): Promise<void> {
    if (!this.#changesLists(ctx)) return;
    if (method === "resources/read") return this.checkResource(params.uri, ctx);
    const ref = method === "completion/complete" && isObject(params.ref) ? params.ref : params;
    if (method === "completion/complete" && ref.type === "ref/resource") return this.checkResource(ref.uri, ctx);
    const isTool = method === "tools/call";
    if (typeof ref.name !== "string" || (!isTool && method !== "prompts/get" && ref.type !== "ref/prompt")) return; // another check refuses it
    const known = await this.#known(isTool ? "tools/list" : "prompts/list", ctx);
    if (!known.some(({ name }) => name === ref.name))
      throw invalidParams(`Unknown ${isTool ? "tool" : "prompt"}: ${nameInMessage(ref.name)}`);
  }

  /** Throws "not found" for a resource whose entry, or whose template, the caller does not know. */
  async checkResource(uri: unknown, ctx: Context): Promise<void> {
    if (typeof uri !== "string" || !this.#changesLists(ctx)) return;
    const definition = this.#definitionOf(uri);
    const key = definition?.key ?? uri; // an address that `list` has changed
    const method = definition?.template === undefined ? "resources/list" : "resources/templates/list";
    const { idOf } = this.#sources[method];
    if (!(await this.#known(method, ctx)).some((item) => idOf(item) === key)) throw resourceNotFound(uri);
  }

  #definitionOf(uri: string): ResourceDefinition | undefined {
    try {
      return this.#resources.get(uri) ?? findResource(this.#resources, uri).definition;
    } catch {
      return undefined;
    }
  }
}

/** Checked for authors who write JavaScript, or forget to return. */
async function resultOf(returned: Awaitable<object>, method: string): Promise<object> {
  const result: unknown = await returned;
  if (isObject(result)) return result;
  throw new TypeError(`Middleware returned ${typeOf(result)} for ${method}: expected a result. Return what next() resolves to.`);
}

function entriesOf<T>(returned: readonly T[], method: string): readonly T[] {
  if (Array.isArray(returned)) return returned;
  throw new TypeError(`Middleware returned ${typeOf(returned)} for ${method}: expected the list of entries.`);
}

/** Whether tools may be called by names that the server does not have. */
export const mayRename = (middleware: readonly Middleware[]): boolean => middleware.some(({ call }) => call !== undefined);

const AROUND = new Set(["tools/call", "prompts/get", "resources/read"]);
const LISTS: ReadonlySet<string> = new Set(["tools/list", "resources/list", "resources/templates/list", "prompts/list"]);
const isList = (method: string): method is keyof ListSources => LISTS.has(method);
