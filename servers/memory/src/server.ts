// The memory server: its name, version and instructions. offer.ts has its tools, resources and prompts.
import { defineServer, type Server } from "@oarlock/server-kit";
import type { Location } from "./graph/location.ts";

export interface Options {
  /** Where the memory is stored; see `locationOf`. */
  location: Location;
  /** Writes no file but the database, and that only if it exists. Default false. */
  readOnly?: boolean;
  /** Logs a message for the operator, such as a damaged line in the JSONL file. */
  warn?: (message: string) => void;
  /** Opens the store soon after the start, not with the first call. Default false. */
  openSoon?: boolean;
  /** Purges, merges and large deletions need no confirmation by the user. Default false. */
  allowPurge?: boolean;
  /** Largest result, in bytes. Default 2,500,000. */
  maxResultBytes?: number;
}

export const version = "0.0.0";

const INSTRUCTIONS =
  "A knowledge graph that persists across conversations. Start with search_nodes (or graph_stats for an overview), then open_nodes for details. Keep entities small and observations to one fact each. When a fact has changed, use add_observations with supersedes.";

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
    instructions: INSTRUCTIONS,
    lazy: { load: async () => (await import("./offer.ts")).offerOf(options, () => server) },
  });
  return server;
}
