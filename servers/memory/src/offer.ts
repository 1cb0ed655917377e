// What the server offers: a table, loaded once the client has been greeted.
import type { ServerFeatures, Server } from "@oarlock/server-kit";
import { Memory } from "./graph/memory.ts";
import { followNames } from "./resources/list-updates.ts";
import type { Parts } from "./dependencies.ts";
import { memoryInstructions } from "./prompts/memory-instructions.ts";
import { recall } from "./prompts/recall.ts";
import { reviewMemory } from "./prompts/review-memory.ts";
import { entity } from "./resources/entity.ts";
import { relation, type } from "./resources/by-type.ts";
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
import type { Options } from "./server.ts";

/** Deletions of more entities than this ask first. */
const ASK_ABOVE = 100;

/** `served`: the server whose lists follow what is remembered. */
export function offerOf(
  { location, readOnly, warn, wake, allowPurge = false, maxResultBytes = 2_500_000 }: Options,
  served: () => Server,
): ServerFeatures {
  const memory = new Memory({ location, readOnly, warn });
  if (wake === true) memory.wake();
  const parts: Parts = { memory, allowPurge, maxResultBytes, askAbove: ASK_ABOVE };
  let unfollow: (() => void) | undefined;
  memory.onOpen((changes) => (unfollow = followNames(changes, served().resources)));
  return {
    tools: [
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
    ],
    resources: [knowledgeGraph(parts), recent(parts), stats(parts), entity(parts), type(parts), relation(parts)],
    prompts: [memoryInstructions(parts), recall(parts), reviewMemory(parts)],
    close() {
      unfollow?.();
      return memory.close();
    },
  };
}
