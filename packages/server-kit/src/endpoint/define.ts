// A server's definition: what it is called and what it offers. Shared by all who connect; holds nothing of any of them.
import type { Cache } from "../features/cache.ts";
import type { PromptDefinition } from "../features/prompts.ts";
import { Registry } from "../features/registry.ts";
import type { ResourceDefinition } from "../features/resources.ts";
import type { ToolDefinition } from "../features/tools.ts";
import type { Icon, Implementation, ServerCapabilities } from "../protocol/types.ts";
import type { Limits } from "./limits.ts";

/** What a server is and offers. Limits and caching have defaults; everything else is left out where it is not given. */
export interface ServerSpec {
  /** Machine name, as clients see it. */
  name: string;
  version: string;
  title?: string;
  description?: string;
  websiteUrl?: string;
  icons?: Icon[];
  /** How the tools are meant to be used, for the model. */
  instructions?: string;
  /** Leaving out a list means that the feature is not offered at all. */
  tools?: readonly ToolDefinition[];
  resources?: readonly ResourceDefinition[];
  prompts?: readonly PromptDefinition[];
  /** True when what is served depends on the client's folders: they are asked for as soon as the client is ready. Default false. */
  followsRoots?: boolean;
  /** Entries on one page of a list. Default 200. */
  pageSize?: number;
  limits?: Partial<Limits>;
  /** How long clients may keep the lists (newest era). Default: a minute, shared. */
  cache?: Cache;
  /** Called once when the server is shut down. */
  close?(): void | Promise<void>;
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
}

/**
 * Defines a server. Throws when two definitions have the same name.
 * @example
 * const server = defineServer({ name: "hello", version: "1.0.0", tools: [greet] });
 */
export function defineServer(spec: ServerSpec): Server {
  const { name, version, title, description, websiteUrl, icons } = spec;
  const capabilities: ServerCapabilities = { logging: {} };
  if (spec.tools !== undefined) capabilities.tools = { listChanged: true };
  if (spec.resources !== undefined) {
    const watchable = spec.resources.some((definition) => definition.watchable);
    capabilities.resources = watchable ? { subscribe: true, listChanged: true } : { listChanged: true };
  }
  if (spec.prompts !== undefined) capabilities.prompts = { listChanged: true };
  const completes = [...(spec.resources ?? []), ...(spec.prompts ?? [])].some(({ complete }) => Object.keys(complete).length > 0);
  if (completes) capabilities.completions = {};
  return {
    spec,
    capabilities,
    info: {
      name,
      version,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(websiteUrl !== undefined && { websiteUrl }),
      ...(icons !== undefined && { icons }),
    },
    tools: new Registry("tools", (item) => item.name, spec.tools),
    resources: new Registry("resources", (item) => item.key, spec.resources),
    prompts: new Registry("prompts", (item) => item.name, spec.prompts),
  };
}
