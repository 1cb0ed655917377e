// ExtensionTable: the extensions of one running server, and what each revision has of them. Absence in a table is the gate: no code
// compares dates elsewhere.
import { forOneClient } from "../../features/cache.ts";
import { missingExtension } from "../../peer/client-request.ts";
import type { ServerCapabilities } from "../../protocol/types.ts";
import { find, NEWEST_HANDSHAKE, REVISIONS, type Revision } from "../../revisions/index.ts";
import type { Json } from "../../wire/json-rpc.ts";
import type { Server } from "../define.ts";
import { isListHandler, type RequestHandler } from "../request/request-handler.ts";
import { listSources } from "../list-sources.ts";
import { MiddlewareChain, type ListSources } from "../middleware.ts";
import { requestHandlers } from "../request-handlers.ts";
import type { ExtensionContext } from "./extension-context.ts";
import {
  checkExtension,
  type Extension,
  type ExtensionHost,
  type ExtensionMethod,
  type ExtensionParts,
  type RunningExtension,
  type SubscriptionFilter,
} from "./extension.ts";
import type { Client, Context } from "../../features/context.ts";

/** What a server has in one revision. */
export interface RevisionTable {
  /** In the newest revision's shape. */
  readonly capabilities: ServerCapabilities;
  readonly handlers: ReadonlyMap<string, RequestHandler>;
  /** The member of params that `Mcp-Name` repeats, by the methods of extensions. */
  readonly nameMembers: ReadonlyMap<string, string>;
  /** Filter keys of `subscriptions/listen` that extensions add. */
  readonly filters: ReadonlyMap<string, SubscriptionFilter>;
  /** Changes a page of a list. */
  readonly lists: ReadonlyMap<string, (page: Json, client: Client) => Json>;
  /** Names the variant of the lists that a client gets. */
  readonly listVariant: (client: Client) => string;
  /** Whether the host of this client asks its user before each call of this tool. */
  readonly isHostConfirmed: (tool: string, client: Client) => boolean;
  /** Ids of the extensions that this revision may have. */
  readonly extensionIds: ReadonlySet<string>;
  /** Those of them that `initialize` declares only to clients that declare them. */
  readonly requestedIds: ReadonlySet<string>;
}

interface Entry {
  readonly extension: Extension;
  readonly running: RunningExtension;
}

/** Parts of one extension in one revision. `id`: the extension that a client has to declare for them. */
interface ActiveParts {
  readonly parts: ExtensionParts;
  readonly id: string | undefined;
}

export class ExtensionTable {
  readonly #server: Server;
  readonly #sources: ListSources;
  /** Undefined where the server has none. */
  readonly middleware: MiddlewareChain | undefined;
  readonly #entries: readonly Entry[];
  readonly #tables = new Map<Revision, RevisionTable>();

  /** Starts the extensions. Of two with the same id the later one counts. */
  constructor(server: Server, extensions: readonly Extension[], host: ExtensionHost) {
    this.#server = server;
    this.#sources = listSources(server, host.log);
    this.middleware = server.middleware.length === 0 ? undefined : new MiddlewareChain(server.middleware, this.#sources, server.resources);
    for (const extension of extensions) checkExtension(extension);
    const byId = new Map(extensions.map((extension) => [extension.id, extension]));
    this.#entries = [...byId.values()].map((extension) => ({ extension, running: extension.start?.(host) ?? {} }));
    // Built now, so that a wrong definition fails at the start.
    for (const revision of [REVISIONS[0], NEWEST_HANDSHAKE].map(find)) if (revision !== undefined) this.of(revision);
  }

  /** The table of a revision, built on first use. */
  of(revision: Revision): RevisionTable {
    const known = this.#tables.get(revision);
    if (known !== undefined) return known;
    const table = this.#build(revision);
    this.#tables.set(revision, table);
    return table;
  }

  #build(revision: Revision): RevisionTable {
    const declared = this.#entries.filter(({ extension }) => extension.isDeclared !== false && revision.id >= extension.since);
    const active: ActiveParts[] = this.#entries.flatMap(({ extension, running }) => {
      if (revision.id >= extension.since) return { parts: running, id: extension.requiresClient === true ? extension.id : undefined };
      const parts = running.older?.(revision);
      return parts === undefined ? [] : { parts, id: undefined };
    });
    const settings = Object.fromEntries(declared.map(({ extension }) => [extension.id, extension.settings ?? {}]));
    const capabilities: ServerCapabilities = {
      // The server's own first and last: they keep their order, so that a greeting has the same bytes with and without an extension.
      ...Object.assign({}, this.#server.capabilities, ...active.map(({ parts }) => parts.capabilities), this.#server.capabilities),
      ...(declared.length > 0 && { extensions: settings }),
    };
    const own = requestHandlers(this.#server, capabilities, this.#sources, this.middleware);
    const handlers = new Map([...own].filter(([method]) => revision.methods.has(method)));
    const nameMembers = new Map<string, string>();
    const filters = new Map<string, SubscriptionFilter>();
    const lists = new Map<string, (page: Json, client: Client) => Json>();
    for (const { parts, id } of active) {
      for (const [method, added] of Object.entries(parts.methods ?? {})) {
        if (handlers.has(method)) throw new TypeError(`Extension method ${method} exists already. Choose another name.`);
        handlers.set(method, id === undefined ? added : gatedMethod(added, id));
        if (added.nameMember !== undefined) nameMembers.set(method, added.nameMember);
      }
      for (const [key, filter] of Object.entries(parts.filters ?? {}))
        filters.set(key, id === undefined ? filter : gatedFilter(filter, id));
      for (const [method, changed] of Object.entries(parts.lists ?? {})) {
        const change: typeof changed = parts.listVariant === undefined ? changed : (page, client) => forOneClient(changed(page, client));
        const earlier = lists.get(method);
        lists.set(method, earlier === undefined ? change : (page, client) => change(earlier(page, client), client));
      }
      for (const [method, replace] of Object.entries(parts.handlers ?? {})) {
        const next = handlers.get(method);
        if (next !== undefined && !isListHandler(next)) handlers.set(method, replace(next));
      }
    }
    const variants = active.flatMap(({ parts }) => parts.listVariant ?? []);
    const listVariant = (client: Client): string => variants.map((variantOf) => variantOf(client)).join(" ");
    const isHostConfirmed = (tool: string, client: Client): boolean =>
      active.some(({ parts }) => parts.isHostConfirmed?.(tool, client) === true);
    const extensionIds = new Set(declared.map(({ extension }) => extension.id));
    const requestedIds = new Set(declared.flatMap(({ extension }) => (extension.declaredOnRequest === true ? [extension.id] : [])));
    return { capabilities, handlers, nameMembers, filters, lists, listVariant, isHostConfirmed, extensionIds, requestedIds };
  }

  /** Whether an extension requires the scope for writing for a request. */
  mayChange(method: string, params: Json, principal: string): Promise<boolean> | undefined {
    for (const { running } of this.#entries) {
      const check = running.mayChange;
      if (check !== undefined && Object.hasOwn(check, method)) return check[method]?.(params, principal);
    }
    return undefined;
  }

  async settle(maxMs: number): Promise<void> {
    await Promise.all(this.#entries.map(async ({ running }) => running.settle?.(maxMs)));
  }

  async close(): Promise<void> {
    await Promise.all(this.#entries.map(async ({ running }) => running.close?.()));
  }
}

function requireExtension({ client }: Context, id: string): void {
  if (client.extension(id) === undefined) throw missingExtension(id);
}

/** The gate comes before everything else, so that a client without the extension learns nothing from the answers. */
function gatedMethod(method: ExtensionMethod, id: string): ExtensionMethod {
  return {
    ...method,
    run(params: Json, ctx: ExtensionContext) {
      requireExtension(ctx, id);
      return method.run(params, ctx);
    },
  };
}

function gatedFilter(filter: SubscriptionFilter, id: string): SubscriptionFilter {
  return {
    check(value, ctx) {
      requireExtension(ctx, id);
      filter.check(value, ctx);
    },
    open: (value, ctx, notify) => filter.open(value, ctx, notify),
  };
}
