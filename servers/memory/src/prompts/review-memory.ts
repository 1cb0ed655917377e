// A prompt to tidy up: likely duplicates, contradictions, what is out of date.
import { embed, prompt, user } from "@oarlock/server-kit";
import { completeType } from "../graph/read/overviews.ts";
import { stats } from "../graph/read/statistics.ts";
import type { Parts } from "../dependencies.ts";
import { pretty } from "../replies/reply.ts";
import { object, text, z } from "../schema.ts";

export const reviewMemory = ({ memory }: Parts) =>
  prompt({
    name: "review_memory",
    title: "Review the memory",
    description: "Find duplicates, contradictions and stale facts in the memory, and propose what to do about them.",
    args: () => object({ entityType: z.optional(text("Look at entities of this type first")) }),
    complete: { entityType: (typed) => memory.look((store) => completeType(store, typed)) },
    get: async ({ entityType }) => [
      user(
        [
          "Review the memory; its figures follow.",
          "1. Entities that are the same: propose update_entities with merge for each pair.",
          "2. Observations that contradict each other or are out of date: propose add_observations with supersedes.",
          "3. Orphans and relations to names that are no entities: propose what to connect, create or delete.",
          ...(entityType === undefined
            ? []
            : [`Begin with entities of type ${JSON.stringify(entityType)} (search_nodes with entityTypes).`]),
          "Read in small portions (search_nodes, open_nodes). Change nothing before I agree.",
        ].join("\n"),
      ),
      user(embed({ uri: "memory://stats", mimeType: "application/json", text: pretty(await memory.look(stats)) })),
    ],
  });
