// memory://recent and memory://stats: the newest entities, and figures about the graph.
import { resource } from "@oarlock/server-kit";
import { contentBytes, type Dependencies } from "../dependencies.ts";
import { recentEntities } from "../graph/read/overviews.ts";
import { statistics } from "../graph/read/statistics.ts";
import { compactJson } from "../replies/reply.ts";

const MAX_BYTES = 200_000;

export const recent = (deps: Dependencies) =>
  resource({
    uri: "memory://recent",
    name: "recent",
    title: "Recent entities",
    description: "Entities that are new or have new observations, in short",
    mimeType: "application/json",
    read: async () => compactJson(await deps.memory.read((rows) => recentEntities(rows, contentBytes(deps, MAX_BYTES)))),
    noticesOtherProcesses: true,
    watch: (onChange) => deps.memory.watch({ kind: "any" }, onChange),
  });

export const stats = ({ memory }: Dependencies) =>
  resource({
    uri: "memory://stats",
    name: "stats",
    title: "Statistics",
    description: "Counts, types, largest entities, orphans and possible duplicates",
    mimeType: "application/json",
    read: async () => compactJson(await memory.read(statistics)),
    noticesOtherProcesses: true,
    watch: (onChange) => memory.watch({ kind: "any" }, onChange),
  });
