// memory://type/{entityType} and memory://relation/{relationType}: all entities or relations of a type, as far as they fit.
import { template } from "@oarlock/server-kit";
import { contentBytes, type Dependencies } from "../dependencies.ts";
import { completeRelationType, completeType } from "../graph/read/completion.ts";
import { entitiesOfType, relationsOfType } from "../graph/read/overviews.ts";
import { compactJson } from "../replies/reply.ts";
import { matchName } from "./uris.ts";

const MAX_BYTES = 1_000_000;

export const type = (deps: Dependencies) =>
  template({
    uri: "memory://type/{entityType}",
    name: "type",
    title: "Entities of a type",
    description: "All entities of one type with all relations from and to them",
    mimeType: "application/json",
    match: matchName("type", "entityType"),
    complete: { entityType: (typed) => deps.memory.read((rows) => completeType(rows, typed)) },
    read: ({ entityType }) => readOverview(deps, entitiesOfType, entityType),
    noticesOtherProcesses: true,
    watch: ({ entityType }, onChange) => deps.memory.watch({ kind: "type", of: entityType }, onChange),
  });

export const relation = (deps: Dependencies) =>
  template({
    uri: "memory://relation/{relationType}",
    name: "relation",
    title: "Relations of a type",
    description: "All relations of one type",
    mimeType: "application/json",
    match: matchName("relation", "relationType"),
    complete: { relationType: (typed) => deps.memory.read((rows) => completeRelationType(rows, typed)) },
    read: ({ relationType }) => readOverview(deps, relationsOfType, relationType),
    noticesOtherProcesses: true,
    watch: ({ relationType }, onChange) => deps.memory.watch({ kind: "relation", of: relationType }, onChange),
  });

async function readOverview(deps: Dependencies, overviewOf: typeof entitiesOfType, type: string): Promise<string | undefined> {
  const found = await deps.memory.read((rows) => overviewOf(rows, type, contentBytes(deps, MAX_BYTES)));
  return found === undefined ? undefined : compactJson(found);
}
