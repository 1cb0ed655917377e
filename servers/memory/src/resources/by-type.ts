// memory://type/{entityType} and memory://relation/{relationType}: all of one kind, as far as they fit into one reply.
import { template } from "@oarlock/server-kit";
import { after } from "../at-once.ts";
import { completeRelation, completeType, ofRelation, ofType, type Part } from "../graph/read/overviews.ts";
import { roomFor, type Parts } from "../dependencies.ts";
import { pretty } from "../replies/reply.ts";
import { nameIn } from "./uris.ts";

const BYTES = 1_000_000;
const said = (part: Part | undefined): string | undefined => (part === undefined ? undefined : pretty(part));

export const type = (parts: Parts) =>
  template({
    uri: "memory://type/{entityType}",
    name: "type",
    title: "Entities of a type",
    description: "All entities of one type with the relations at either end",
    mimeType: "application/json",
    match(uri) {
      const entityType = nameIn(uri, "type");
      return entityType === undefined ? undefined : { entityType };
    },
    complete: { entityType: (typed) => parts.memory.look((store) => completeType(store, typed)) },
    read: ({ entityType }) =>
      after(
        parts.memory.look((store) => ofType(store, entityType, roomFor(parts, BYTES))),
        said,
      ),
    watch: ({ entityType }, changed) => parts.memory.watch({ kind: "type", of: entityType }, changed),
  });

export const relation = (parts: Parts) =>
  template({
    uri: "memory://relation/{relationType}",
    name: "relation",
    title: "Relations of a type",
    description: "All relations of one type",
    mimeType: "application/json",
    match(uri) {
      const relationType = nameIn(uri, "relation");
      return relationType === undefined ? undefined : { relationType };
    },
    complete: { relationType: (typed) => parts.memory.look((store) => completeRelation(store, typed)) },
    read: ({ relationType }) =>
      after(
        parts.memory.look((store) => ofRelation(store, relationType, roomFor(parts, BYTES))),
        said,
      ),
    watch: ({ relationType }, changed) => parts.memory.watch({ kind: "relation", of: relationType }, changed),
  });
