// memory://entity/{name}: one entity with its relations. The newest entities are listed.
import { escapeControls } from "@oarlock/domain-kit";
import { template } from "@oarlock/server-kit";
import { contentBytes, type Dependencies } from "../dependencies.ts";
import { completeName, newestNames } from "../graph/read/completion.ts";
import { openNodes } from "../graph/read/open-nodes.ts";
import { compactJson } from "../replies/reply.ts";
import { matchName, resourceUri } from "./uris.ts";

const MAX_BYTES = 1_000_000;
/** Completion and search find the other entities. */
const MAX_LISTED = 50;

export const entity = (deps: Dependencies) =>
  template({
    uri: "memory://entity/{name}",
    name: "entity",
    title: "An entity",
    description: "An entity with its observations and all relations from and to it",
    mimeType: "application/json",
    match: matchName("entity", "name"),
    async list() {
      const names = await deps.memory.read((rows) => newestNames(rows, MAX_LISTED));
      return names.map((name) => ({
        uri: resourceUri("entity", name),
        name: escapeControls(name.toWellFormed()),
        mimeType: "application/json",
      }));
    },
    complete: { name: (typed) => deps.memory.read((rows) => completeName(rows, typed)) },
    async read({ name }) {
      const opened = await deps.memory.read((rows) =>
        openNodes(rows, { names: [name], detail: "full", maxBytes: contentBytes(deps, MAX_BYTES) }),
      );
      const { entities, relations, truncated } = opened;
      return entities.length === 0 ? undefined : compactJson({ entities, relations, ...(truncated && { truncated }) });
    },
    noticesOtherProcesses: true,
    watch: ({ name }, onChange) => deps.memory.watch({ kind: "entity", of: name }, onChange),
  });
