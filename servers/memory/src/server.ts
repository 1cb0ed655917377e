// The memory server: what it is.
import { defineServer, type Server } from "@oarlock/server-kit";
import type { Location } from "./graph/location.ts";

export interface Options {
  /** Where the memory lies; see `locationOf`. */
  location: Location;
  /** No file that others read is written. Default false. */
  readOnly?: boolean;
  /** A line for whoever runs the server: what was found in a file and could not be taken, and the like. */
  warn?: (message: string) => void;
  /** Opens the store soon, and not at the first call. Default false. */
  wake?: boolean;
  /** Purges, merges and large deletions need no yes from the user. Default false. */
  allowPurge?: boolean;
  /** The most that one reply may weigh, in bytes. Default 2,500,000. */
  maxResultBytes?: number;
}

export const version = "0.0.0";

const INSTRUCTIONS =
  "A knowledge graph that outlasts conversations. Begin with search_nodes (or graph_stats for an overview) for what is known, open_nodes for more of it. Keep entities small and observations to one fact each; when a fact has changed, add_observations with supersedes.";

/**
 * Makes the server.
 * @example
 * const server = createServer({ location: { database: "/home/me/memory.db" } });
 */
export function createServer(options: Options): Server {
  const server = defineServer({
    name: "oarlock-memory",
    title: "Memory",
    version,
    instructions: INSTRUCTIONS,
    lazy: { load: async () => (await import("./offer.ts")).offerOf(options, () => server) },
  });
  return server;
}
