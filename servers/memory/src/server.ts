// The memory server: its name, version and instructions. offer.ts has its tools, resources and prompts.
import { defineServer, type Server, type ServerFeatures } from "@oarlock/server-kit";
import { apps } from "@oarlock/extensions/apps";
import { hostHints } from "@oarlock/extensions/host-hints";
import { skills } from "@oarlock/extensions/skills";
import type { Options } from "./options.ts";
import { isDynamic, PROJECT_SCOPE } from "./scopes/scope-name.ts";
import { hostHintsOf } from "./host/hints.ts";
import { VIEWS } from "./views.ts";

export type { Options } from "./options.ts";

export const version = "0.1.0";

const INSTRUCTIONS =
  "A knowledge graph that persists across conversations. Start with search_nodes (or graph_stats for an overview), then open_nodes for details. Give the person you talk with an entity of type user, so that a search for user finds it. Keep entities small and observations to one fact each. When a fact has changed, use add_observations with supersedes.";

/**
 * Creates the server.
 * @example
 * const server = createServer({ location: { database: "/home/me/memory.db" } });
 */
export function createServer(options: Options): Server {
  const server = defineServer({
    name: "oarlock-memory",
    title: "Memory",
    version,
    extensions: [
      skills({ dir: new URL("../skills", import.meta.url), base: "skill://oarlock-memory" }),
      apps({ views: VIEWS }),
      hostHints(hostHintsOf({ allowPurge: options.allowPurge ?? false })),
    ],
    instructions: INSTRUCTIONS,
    lazy: { load: () => featuresOf(options, () => server) },
    followsRoots: options.scope === PROJECT_SCOPE,
    ...(isDynamic(options.scope) && { cache: { scope: "private" } }),
  });
  return server;
}

async function featuresOf(options: Options, server: () => Server): Promise<ServerFeatures> {
  const { location, scope, readScopes = [] } = options;
  if (isDynamic(scope) || readScopes.length > 0) return (await import("./scopes/scoped-offer.ts")).scopedOffer(options);
  const own = scope === undefined ? location : (await import("./scopes/scoped-location.ts")).scopedLocation(location, scope);
  return await (await import("./offer.ts")).offerOf({ ...options, location: own }, () => server().resources);
}
