// defineServer: defines a server with its name and features. All clients share the definition; it holds no state of a client.
import type { Cache } from "../features/cache.ts";
import { checkDefinition, checkDefinitions, checkList } from "../features/checked-definition.ts";
import type { PromptDefinition } from "../features/prompts.ts";
import { Registry } from "../features/registry.ts";
import type { ResourceDefinition } from "../features/resources/resource-types.ts";
import type { ToolDefinition } from "../features/tools/tools.ts";
import type { Icon, Implementation, ServerCapabilities } from "../protocol/types.ts";
import { checkExtension, type Extension } from "./extension/extension.ts";
import type { Limits } from "./limits.ts";
import type { Middleware } from "./middleware.ts";

/**
 * The features of a server. A feature without a list is not declared to clients; an empty list may be added to later.
 * Subscriptions and completion are declared when a definition in these lists supports them.
 */
export interface ServerFeatures {
  tools?: readonly ToolDefinition[];
  resources?: readonly ResourceDefinition[];
  prompts?: readonly PromptDefinition[];
  /** Called once when the server is shut down. */
  close?(): void | Promise<void>;
}

type Declared = NonNullable<LazyFeatures["capabilities"]>;

const ALL_CAPABILITIES: Declared = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
};

/** Features that are loaded after the response to the first `initialize` or `server/discover`, so that start-up does not wait for them. */
export interface LazyFeatures {
  /**
   * The capabilities to declare before the features are loaded. The loaded features must have exactly these, or loading fails. Default:
   * tools, prompts and resources with subscriptions, and completion.
   */
  capabilities?: Pick<ServerCapabilities, "tools" | "resources" | "prompts" | "completions">;
  load(): Promise<ServerFeatures>;
}

/** The definition of a server. Limits and caching have defaults; other members are optional. */
export interface ServerSpec extends ServerFeatures {
  /** Machine-readable name that clients see. */
  name: string;
  version: string;
  title?: string;
  description?: string;
  websiteUrl?: string;
  icons?: Icon[];
  /** Tells the model how to use the tools. */
  instructions?: string;
  /** Loads the lists later, so that a server with much code answers `initialize` sooner. Replaces the lists. */
  lazy?: LazyFeatures;
  /** Whether the resources depend on the client's roots, which are then requested as soon as the client is ready. Default false. */
  followsRoots?: boolean;
  /** Entries per page of a list, from 1. Default 200. */
  pageSize?: number;
  limits?: Partial<Limits>;
  /** Extensions of the protocol. Default: none. */
  extensions?: readonly Extension[];
  /** What surrounds lists and requests, for all callers or for each. Default: nothing. */
  use?: readonly Middleware[];
  /** How long clients may cache the lists (newest revision). Default: one minute, shared. */
  cache?: Cache;
}

/** A server, ready to be served. Its registries may change while it runs; clients are notified. */
export interface Server {
  readonly spec: ServerSpec;
  readonly info: Implementation;
  readonly tools: Registry<ToolDefinition>;
  readonly resources: Registry<ResourceDefinition>;
  readonly prompts: Registry<PromptDefinition>;
  /** The declared capabilities, in the newest revision's shape. */
  readonly capabilities: ServerCapabilities;
  /** What surrounds lists and requests; fixed once the server is served. */
  readonly middleware: readonly Middleware[];
  /** Adds middleware inside of what was added before. Throws once the server is served. */
  use(middleware: Middleware): void;
  /** True until lazy features are loaded: the registries are still empty. */
  readonly isLoading: boolean;
  /** Loads lazy features once. Resolves when the registries are filled. After a failure each call rejects with the same error. */
  ready(): Promise<void>;
  /** Calls `close` of the lazy features and of the server. */
  close(): Promise<void>;
}

/**
 * Defines a server. Throws when two definitions have the same name.
 * @example
 * const server = defineServer({ name: "hello", version: "1.0.0", tools: [greet] });
 */
export function defineServer(spec: ServerSpec): Server {
  const { name, version, lazy, pageSize } = spec;
  if (typeof name !== "string" || typeof version !== "string")
    throw new TypeError("Invalid server: expected a name and a version as text, as clients refuse one without them.");
  if (pageSize !== undefined && !(Number.isInteger(pageSize) && pageSize > 0))
    throw new TypeError(`pageSize is invalid: expected a whole number from 1, got ${pageSize}.`);
  if (lazy !== undefined && (spec.tools ?? spec.resources ?? spec.prompts) !== undefined)
    throw new TypeError("Invalid server: it has both lists and `lazy`. Return the lists from lazy.load.");
  checkList("use", spec.use);
  const declared = lazy === undefined ? capabilitiesOf(spec) : (lazy.capabilities ?? ALL_CAPABILITIES);
  const tools = new Registry("tools", (item: ToolDefinition) => item.name, spec.tools, declared.tools !== undefined, toolCheck(spec));
  const resources = new Registry(
    "resources",
    (item: ResourceDefinition) => item.key,
    spec.resources,
    declared.resources !== undefined,
    (item) => checkDefinition("resources", item),
  );
  const prompts = new Registry(
    "prompts",
    (item: PromptDefinition) => item.name,
    spec.prompts,
    declared.prompts !== undefined,
    (item) => checkDefinition("prompts", item),
  );
  const middleware = [...(spec.use ?? [])];
  let isLoading = lazy !== undefined;
  let loading: Promise<void> | undefined;
  let features: ServerFeatures | undefined;
  const load = async (source: LazyFeatures): Promise<void> => {
    features = await source.load();
    const [expected, loaded] = [declared, capabilitiesOf(features)].map((capabilities) => JSON.stringify(capabilities, MEMBERS));
    if (expected !== loaded)
      throw new TypeError(`Lazy features do not match: declared as ${expected}, loaded ${loaded}. Correct lazy.capabilities.`);
    tools.fill(features.tools ?? []);
    resources.fill(features.resources ?? []);
    prompts.fill(features.prompts ?? []);
    isLoading = false;
  };
  return {
    spec,
    info: infoOf(spec),
    capabilities: { logging: {}, ...declared },
    tools,
    resources,
    prompts,
    middleware,
    use(added) {
      if (Object.isFrozen(middleware)) throw new TypeError("Cannot add middleware: the server is being served. Call use() before.");
      middleware.push(added);
    },
    get isLoading() {
      return isLoading;
    },
    async ready() {
      if (lazy !== undefined) await (loading ??= load(lazy));
    },
    async close() {
      // Loaded features are closed even when they did not match the declaration.
      await loading?.catch(() => undefined);
      await features?.close?.();
      await spec.close?.();
    },
  };
}

/** A check that fails for another value than a tool, for a tool that needs an extension which the server lacks, and for one that an extension refuses. */
function toolCheck({ extensions = [] }: ServerSpec): (tool: ToolDefinition) => void {
  checkList("extensions", extensions);
  for (const extension of extensions) checkExtension(extension);
  const ids = new Set(extensions.map(({ id }) => id));
  return (tool) => {
    checkDefinition("tools", tool);
    for (const { extension, requires } of tool.extensions) {
      if (requires !== undefined && !ids.has(extension))
        throw new TypeError(`Tool "${tool.name}" needs the extension ${extension}, which the server does not have. ${requires}`);
    }
    for (const extension of extensions) extension.checkTool?.(tool);
  };
}

/** The members of capabilities, in the order in which they are compared. */
const MEMBERS = ["tools", "resources", "prompts", "completions", "subscribe", "listChanged"];

function capabilitiesOf({ tools, resources, prompts }: ServerFeatures): Declared {
  checkDefinitions("tools", tools);
  checkDefinitions("resources", resources);
  checkDefinitions("prompts", prompts);
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
