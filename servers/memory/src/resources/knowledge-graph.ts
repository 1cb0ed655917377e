// memory://knowledge-graph: the whole graph, as in the reference server, as far as it fits.
import { resource } from "@oarlock/server-kit";
import { contentBytes, type Dependencies } from "../dependencies.ts";
import { readGraph } from "../graph/read/graph-page.ts";
import { compactJson } from "../replies/reply.ts";

const MAX_BYTES = 1_500_000;

export const knowledgeGraph = (deps: Dependencies) =>
  resource({
    uri: "memory://knowledge-graph",
    name: "knowledge-graph",
    title: "Knowledge Graph",
    description: "The full knowledge graph with all entities and relations",
    mimeType: "application/json",
    async read() {
      const page = await deps.memory.read((rows) => readGraph(rows, { detail: "full", maxBytes: contentBytes(deps, MAX_BYTES) }));
      const { entities, relations, truncated, total } = page;
      return compactJson({ entities, relations, ...(truncated && { truncated, total }) });
    },
    noticesOtherProcesses: true,
    watch: (onChange) => deps.memory.watch({ kind: "any" }, onChange),
  });
