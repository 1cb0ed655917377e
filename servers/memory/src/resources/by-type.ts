// memory://type/{entityType} and memory://relation/{relationType}: all entities or relations of a type, as far as they fit.
import { template } from "@oarlock/server-kit";
import { contentBytes, type Dependencies } from "../dependencies.ts";
import { completeRelationType, completeType } from "../graph/read/completion.ts";
import { entitiesOfType, relationsOfType } from "../graph/read/overviews.ts";
import { pretty } from "../replies/reply.ts";
import { nameFromUri } from "./uris.ts";

const MAX_BYTES = 1_000_000;

export const type = (deps: Dependencies) =>
  template({
    uri: "memory://type/{entityType}",
    name: "type",
    title: "Entities of a type",
    description: "All entities of one type with all relations from and to them",
    mimeType: "application/json",
    match(uri) {
      const entityType = nameFromUri(uri, "type");
      return entityType === undefined ? undefined : { entityType };
    },
    complete: { entityType: (typed) => deps.memory.read((store) => completeType(store, typed)) },
    async read({ entityType }) {
      const found = await deps.memory.read((store) => entitiesOfType(store, entityType, contentBytes(deps, MAX_BYTES)));
      return found === undefined ? undefined : pretty(found);
    },
    watch: ({ entityType }, onChange) => deps.memory.watch({ kind: "type", of: entityType }, onChange),
  });

export const relation = (deps: Dependencies) =>
  template({
    uri: "memory://relation/{relationType}",
    name: "relation",
    title: "Relations of a type",
    description: "All relations of one type",
    mimeType: "application/json",
    match(uri) {
      const relationType = nameFromUri(uri, "relation");
      return relationType === undefined ? undefined : { relationType };
    },
    complete: { relationType: (typed) => deps.memory.read((store) => completeRelationType(store, typed)) },
    async read({ relationType }) {
      const found = await deps.memory.read((store) => relationsOfType(store, relationType, contentBytes(deps, MAX_BYTES)));
      return found === undefined ? undefined : pretty(found);
    },
    watch: ({ relationType }, onChange) => deps.memory.watch({ kind: "relation", of: relationType }, onChange),
  });
