// A prompt to tidy up the memory: likely duplicates, contradictions and outdated facts.
import { escapeControlsInJson } from "@oarlock/domain-kit";
import { embed, prompt, user } from "@oarlock/server-kit";
import type { Dependencies } from "../dependencies.ts";
import { completeType } from "../graph/read/completion.ts";
import { statistics } from "../graph/read/statistics.ts";
import { compactJson } from "../replies/reply.ts";
import { object, text, z } from "../schema.ts";

export const reviewMemory = ({ memory }: Dependencies) =>
  prompt({
    name: "review_memory",
    title: "Review the memory",
    description: "Find duplicates, contradictions and outdated facts in the memory, and propose how to resolve them.",
    args: () => object({ entityType: z.optional(text("Begin with entities of this type")) }),
    complete: { entityType: (typed) => memory.read((rows) => completeType(rows, typed)) },
    async get({ entityType }) {
      const steps = [
        "Review the memory; its statistics follow.",
        "1. Entities that are the same: propose update_entities with merge for each pair.",
        "2. Observations that contradict each other or are out of date: propose add_observations with supersedes.",
        "3. Orphans, and relations to names that no entity has: propose what to connect, create or delete.",
        ...(entityType === undefined
          ? []
          : [`Begin with entities of type ${escapeControlsInJson(JSON.stringify(entityType))} (search_nodes with entityTypes).`]),
        "Read in small portions (search_nodes, open_nodes). Change nothing before I agree.",
      ];
      return [
        user(steps.join("\n")),
        user(embed({ uri: "memory://stats", mimeType: "application/json", text: compactJson(await memory.read(statistics)) })),
      ];
    },
  });
