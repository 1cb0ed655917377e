// The memory server: a table of what it offers.
import { defineServer, type Server, type ToolDefinition } from "@oarlock/server-kit";
import type { Location } from "./graph/location.ts";
import { Memory } from "./graph/memory.ts";
import { followNames } from "./list-changes.ts";
import type { Parts } from "./parts.ts";
import { memoryInstructions } from "./prompts/memory-instructions.ts";
import { recall } from "./prompts/recall.ts";
import { reviewMemory } from "./prompts/review-memory.ts";
import { entity } from "./resources/entity.ts";
import { relation, type } from "./resources/kinds.ts";
import { knowledgeGraph } from "./resources/knowledge-graph.ts";
import { recent, stats } from "./resources/overviews.ts";
import { addObservations } from "./tools/add-observations.ts";
import { createEntities } from "./tools/create-entities.ts";
import { createRelations } from "./tools/create-relations.ts";
import { deleteEntities } from "./tools/delete-entities.ts";
import { deleteObservations } from "./tools/delete-observations.ts";
import { deleteRelations } from "./tools/delete-relations.ts";
import { graphStats } from "./tools/graph-stats.ts";
import { getHistory } from "./tools/get-history.ts";
import { traverseGraph } from "./tools/traverse-graph.ts";
import { updateEntities } from "./tools/update-entities.ts";
import { openNodes } from "./tools/open-nodes.ts";
import { readGraph } from "./tools/read-graph.ts";
import { searchNodes } from "./tools/search-nodes.ts";

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

/** Deletions of more entities than this ask first. */
const ASK_ABOVE = 100;

const INSTRUCTIONS =
  "A knowledge graph that outlasts conversations. Begin with search_nodes (or graph_stats for an overview) for what is known, open_nodes for more of it. Keep entities small and observations to one fact each; when a fact has changed, add_observations with supersedes.";

/**
 * Makes the server.
 * @example
 * const server = createServer({ location: { database: "/home/me/memory.db" } });
 */
export function createServer({ location, readOnly, warn, wake = false, allowPurge = false, maxResultBytes = 2_500_000 }: Options): Server {
  const memory = new Memory({ location, readOnly, warn });
  if (wake) memory.wake();
  const parts: Parts = { memory, allowPurge, maxResultBytes, askAbove: ASK_ABOVE };
  const tools: ToolDefinition[] = [
    createEntities(parts),
    createRelations(parts),
    addObservations(parts),
    deleteEntities(parts),
    deleteObservations(parts),
    deleteRelations(parts),
    readGraph(parts),
    searchNodes(parts),
    openNodes(parts),
    updateEntities(parts),
    traverseGraph(parts),
    getHistory(parts),
    graphStats(parts),
  ];
  let unfollow: (() => void) | undefined;
  const server = defineServer({
    name: "oarlock-memory",
    title: "Memory",
    version,
    instructions: INSTRUCTIONS,
    tools,
    resources: [knowledgeGraph(parts), recent(parts), stats(parts), entity(parts), type(parts), relation(parts)],
    prompts: [memoryInstructions(parts), recall(parts), reviewMemory(parts)],
    close() {
      unfollow?.();
      return memory.close();
    },
  });
  memory.onOpen((changes) => (unfollow = followNames(changes, server.resources)));
  return server;
}
