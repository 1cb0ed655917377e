// Defines a server: its name and its features. Shared by all clients; holds no state of any of them.
import type { Cache } from "../features/cache.ts";
import type { PromptDefinition } from "../features/prompts.ts";
import { Registry } from "../features/registry.ts";
import type { ResourceDefinition } from "../features/resources/resource-types.ts";
import type { ToolDefinition } from "../features/tools.ts";
import type { Icon, Implementation, ServerCapabilities } from "../protocol/types.ts";
import type { Limits } from "./limits.ts";

/**
 * What a server offers. Leaving out a list means that the feature is not offered at all; an empty one may be added to later.
 * Subscriptions and completion are declared when something in these lists has them.
 */
export interface ServerFeatures {
  tools?: readonly ToolDefinition[];
  resources?: readonly ResourceDefinition[];
  prompts?: readonly PromptDefinition[];
  /** Called once when the server is shut down. */
  close?(): void | Promise<void>;
}

/** A feature whose list may change. */
export type Feature = "tools" | "resources" | "prompts";

type Declared = NonNullable<LazyFeatures["capabilities"]>;

const EVERYTHING: Declared = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
};

/** An offer that start-up does not wait for: it is loaded once the first client has been greeted. */
export interface LazyFeatures {
  /**
   * What is declared of it before. It must be what the loaded offer then is, or nothing is served. Left out: tools, prompts and
   * resources that can be watched, with completion.
   */
  capabilities?: Pick<ServerCapabilities, "tools" | "resources" | "prompts" | "completions">;
  load(): Promise<ServerFeatures>;
}

/** What a server is and offers. Limits and caching have defaults; everything else is left out where it is not given. */
export interface ServerSpec extends ServerFeatures {
  /** Machine name, as clients see it. */
  name: string;
  version: string;
  title?: string;
  description?: string;
  websiteUrl?: string;
  icons?: Icon[];
  /** How the tools are meant to be used, for the model. */
  instructions?: string;
  /** Instead of the lists: where their code is much, a host hears sooner that the server is there. */
  lazy?: LazyFeatures;
  /** True when what is served depends on the client's folders: they are asked for as soon as the client is ready. Default false. */
  followsRoots?: boolean;
  /** Entries on one page of a list. Default 200. */
  pageSize?: number;
  limits?: Partial<Limits>;
  /** How long clients may keep the lists (newest era). Default: a minute, shared. */
  cache?: Cache;
}

/** A server, ready to be served. Its registries may change while it runs; everybody entitled is told. */
export interface Server {
  readonly spec: ServerSpec;
  readonly info: Implementation;
  readonly tools: Registry<ToolDefinition>;
  readonly resources: Registry<ResourceDefinition>;
  readonly prompts: Registry<PromptDefinition>;
  /** What is declared, in the newest revision's shape; the handshake era adds to it. */
  readonly capabilities: ServerCapabilities;
  /** True until a late offer is there: the registries are still empty. */
  readonly isLoading: boolean;
  /** Loads what is late, once. Resolves when the registries are filled; rejects when that fails, as it will each time. */
  ready(): Promise<void>;
  /** Ends what the server and its offer hold. */
  close(): Promise<void>;
}

/**
 * Defines a server. Throws when two definitions have the same name.
 * @example
 * const server = defineServer({ name: "hello", version: "1.0.0", tools: [greet] });
 */
export function defineServer(spec: ServerSpec): Server {
  const { lazy: late } = spec;
  if (late !== undefined && (spec.tools ?? spec.resources ?? spec.prompts) !== undefined)
    throw new TypeError("a server has its lists, or has them late: not both");
  const declared = late === undefined ? capabilitiesOf(spec) : (late.capabilities ?? EVERYTHING);
  const tools = new Registry("tools", (item: ToolDefinition) => item.name, spec.tools, declared.tools !== undefined);
  const resources = new Registry("resources", (item: ResourceDefinition) => item.key, spec.resources, declared.resources !== undefined);
  const prompts = new Registry("prompts", (item: PromptDefinition) => item.name, spec.prompts, declared.prompts !== undefined);
  let waiting = late !== undefined;
  let loading: Promise<void> | undefined;
  let offer: ServerFeatures | undefined;
  const load = async ({ load: loaded }: LazyFeatures): Promise<void> => {
    offer = await loaded();
    const [told, there] = [declared, capabilitiesOf(offer)].map((some) => JSON.stringify(some, MEMBERS));
    if (told !== there) throw new TypeError(`the late offer was declared as ${told}, but is ${there}`);
    tools.fill(offer.tools ?? []);
    resources.fill(offer.resources ?? []);
    prompts.fill(offer.prompts ?? []);
    waiting = false;
  };
  return {
    spec,
    info: infoOf(spec),
    capabilities: { logging: {}, ...declared },
    tools,
    resources,
    prompts,
    get isLoading() {
      return waiting;
    },
    async ready() {
      if (late !== undefined) await (loading ??= load(late));
    },
    async close() {
      // One that came is ended, also where it was not what had been declared.
      await loading?.catch(() => undefined);
      await offer?.close?.();
      await spec.close?.();
    },
  };
}

/** In which order capabilities are compared. */
const MEMBERS = ["tools", "resources", "prompts", "completions", "subscribe", "listChanged"];

function capabilitiesOf({ tools, resources, prompts }: ServerFeatures): Declared {
  const capabilities: Declared = {};
  if (tools !== undefined) capabilities.tools = { listChanged: true };
  if (resources !== undefined) {
    const watchable = resources.some((definition) => definition.watchable);
    capabilities.resources = watchable ? { subscribe: true, listChanged: true } : { listChanged: true };
  }
  if (prompts !== undefined) capabilities.prompts = { listChanged: true };
  const completes = [...(resources ?? []), ...(prompts ?? [])].some(({ complete }) => Object.keys(complete).length > 0);
  if (completes) capabilities.completions = {};
  return capabilities;
}

function infoOf({ name, version, title, description, websiteUrl, icons }: ServerSpec): Implementation {
  return {
    name,
    version,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(websiteUrl !== undefined && { websiteUrl }),
    ...(icons !== undefined && { icons }),
  };
}
