// memory://entity/{name}: one entity with the relations at either end. The newest ones are listed.
import { template } from "@oarlock/server-kit";
import { after } from "../at-once.ts";
import { openNodes } from "../graph/read/open-nodes.ts";
import { completeName } from "../graph/read/overviews.ts";
import { roomFor, type Parts } from "../dependencies.ts";
import { pretty } from "../replies/reply.ts";
import { addressOf, nameIn } from "./uris.ts";

const BYTES = 1_000_000;
/** The newest that many are in the list of resources; the others are found by completion and search. */
const LISTED = 50;

export const entity = (parts: Parts) =>
  template({
    uri: "memory://entity/{name}",
    name: "entity",
    title: "An entity",
    description: "An entity with its observations and the relations at either end",
    mimeType: "application/json",
    match(uri) {
      const name = nameIn(uri, "entity");
      return name === undefined ? undefined : { name };
    },
    list: () =>
      after(
        parts.memory.look((store) => completeName(store, "").slice(0, LISTED)),
        (names) => names.map((name) => ({ uri: addressOf("entity", name), name: name.toWellFormed(), mimeType: "application/json" })),
      ),
    complete: { name: (typed) => parts.memory.look((store) => completeName(store, typed)) },
    read: ({ name }) =>
      after(
        parts.memory.look((store) => openNodes(store, { names: [name], detail: "full", room: roomFor(parts, BYTES) })),
        ({ entities, relations, truncated }) =>
          entities.length === 0 ? undefined : pretty({ entities, relations, ...(truncated && { truncated }) }),
      ),
    watch: ({ name }, changed) => parts.memory.watch({ kind: "entity", of: name }, changed),
  });
