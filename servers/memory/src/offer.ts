// The tools, resources and prompts of the server. Loaded after the answer to `initialize`, which comes 5 to 11 ms sooner that way.
import { leanTool, type Server, type ServerFeatures, type ToolDefinition } from "@oarlock/server-kit";
import { loadAddon } from "./addons.ts";
import { Retention } from "./graph/history/retention.ts";
import { openGraph } from "./open-graph.ts";
import { updateResourceList } from "./resources/list-updates.ts";
import type { Dependencies } from "./dependencies.ts";
import { memoryInstructions } from "./prompts/memory-instructions.ts";
import { recall } from "./prompts/recall.ts";
import { reviewMemory } from "./prompts/review-memory.ts";
import { entity } from "./resources/entity.ts";
import { relation, type } from "./resources/by-type.ts";
import { knowledgeGraph } from "./resources/knowledge-graph.ts";
import { REPEATED_MEMBERS } from "./replies/lean.ts";
import { recent, stats } from "./resources/overviews.ts";
import { addObservations } from "./tools/add-observations.ts";
import { createEntities } from "./tools/create-entities.ts";
import { createRelations } from "./tools/create-relations.ts";
import { deleteEntities } from "./tools/delete-entities.ts";
import { deleteObservations } from "./tools/delete-observations.ts";
import { deleteRelations } from "./tools/delete-relations.ts";
import { graphStats } from "./tools/graph-stats.ts";
import { getHistory } from "./tools/get-history.ts";
import { inspectSearch } from "./tools/inspect-search.ts";
import { WarningQueue } from "./tools/logging-tool.ts";
import { traverseGraph } from "./tools/traverse-graph.ts";
import { updateEntities } from "./tools/update-entities.ts";
import { openNodes } from "./tools/open-nodes.ts";
import { readGraph } from "./tools/read-graph.ts";
import { searchNodes } from "./tools/search-nodes.ts";
import { viewNeighbours } from "./tools/view-neighbours.ts";
import { viewRelations } from "./tools/view-relations.ts";
import { viewTimeline } from "./tools/view-timeline.ts";
import { DEFAULT_MAX_RESULT_BYTES, type Options } from "./options.ts";

/** Deletions of more entities than this need confirmation. */
const MAX_UNCONFIRMED_DELETIONS = 100;

/** The features of one graph. `listed`: the list of resources that follows the graph. */
export async function offerOf(options: Options, listed: () => Pick<Server["resources"], "touch">): Promise<Required<ServerFeatures>> {
  const { mirror, readOnly = false, keepHistoryMs, allowPurge = false, lean = false } = options;
  const warnings = new WarningQueue();
  const warn = (message: string): void => {
    options.warn?.(message);
    warnings.add(message);
  };
  const memory = await openGraph({ ...options, warn });
  const report = (message: string): void => options.report?.(message);
  const retention = keepHistoryMs === undefined || readOnly ? undefined : new Retention(memory, { keepMs: keepHistoryMs, report, warn });
  if (options.openSoon === true) memory.openSoon();
  const notes = mirror === undefined ? undefined : (await loadAddon("notes", "--mirror")).mirror(memory, { folder: mirror, warn });
  const deps: Dependencies = {
    memory,
    notes,
    allowPurge,
    maxResultBytes: options.maxResultBytes ?? DEFAULT_MAX_RESULT_BYTES,
    maxUnconfirmedDeletions: MAX_UNCONFIRMED_DELETIONS,
    preference: options.ranking ?? "match",
  };
  let stopUpdates: (() => void) | undefined;
  memory.onOpen((watch) => (stopUpdates = updateResourceList(watch, listed())));
  const tools: ToolDefinition[] = [
    createEntities(deps),
    createRelations(deps),
    addObservations(deps),
    deleteEntities(deps),
    deleteObservations(deps),
    deleteRelations(deps),
    readGraph(deps),
    searchNodes(deps),
    openNodes(deps),
    updateEntities(deps),
    traverseGraph(deps),
    getHistory(deps),
    graphStats(deps),
    inspectSearch(deps),
  ];
  /** Only views call these, so their results stay whole with --lean. */
  const viewTools = [viewNeighbours(deps), viewRelations(deps), viewTimeline(deps)];
  return {
    tools: [...(lean ? tools.map((tool) => leanTool(tool, REPEATED_MEMBERS)) : tools), ...viewTools].map((tool) =>
      warnings.loggingTool(tool),
    ),
    resources: [knowledgeGraph(deps), recent(deps), stats(deps), entity(deps), type(deps), relation(deps)],
    prompts: [memoryInstructions(deps), recall(deps), reviewMemory(deps)],
    async close() {
      stopUpdates?.();
      await retention?.stop();
      await notes?.close();
      await memory.close();
    },
  };
}
