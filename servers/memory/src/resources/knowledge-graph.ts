// memory://knowledge-graph: the whole graph, as the reference server has it, as far as it fits into one reply.
import { resource } from "@oarlock/server-kit";
import { after } from "../at-once.ts";
import { readGraph } from "../graph/read/graph-page.ts";
import { roomFor, type Parts } from "../dependencies.ts";
import { pretty } from "../replies/reply.ts";

export const knowledgeGraph = (parts: Parts) =>
  resource({
    uri: "memory://knowledge-graph",
    name: "knowledge-graph",
    title: "Knowledge Graph",
    description: "The full knowledge graph with all entities and relations",
    mimeType: "application/json",
    read: () =>
      after(
        parts.memory.look((store) => readGraph(store, { detail: "full", room: roomFor(parts, 1_500_000) })),
        ({ entities, relations, truncated, total }) => pretty({ entities, relations, ...(truncated && { truncated, total }) }),
      ),
    watch: (changed) => parts.memory.watch({ kind: "any" }, changed),
  });
