// delete_observations: facts about entities.
import { tool } from "@oarlock/server-kit";
import { deleted } from "../replies/delete-reply.ts";
import { deleteObservations as remove } from "../graph/write/deletion.ts";
import { purgeSomeObservations } from "../graph/write/purge.ts";
import type { Parts } from "../dependencies.ts";
import { list, object, purge, result, text, texts, z } from "../schema.ts";

export const deleteObservations = (parts: Parts) =>
  tool({
    name: "delete_observations",
    title: "Delete Observations",
    description: "Delete observations that were wrong; see also supersedes of add_observations.",
    input: () =>
      object({
        deletions: list({ entityName: text("The entity"), observations: texts("Word for word") }, "By entity"),
        purge,
      }),
    output: () => result({ success: z.boolean(), message: z.string() }),
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    run: ({ deletions, purge }, ctx) =>
      deleted(parts, ctx, {
        message: "Observations deleted successfully",
        purge,
        doomed: [],
        remove: (store, change) => remove(store, change, deletions),
        weight: deletions.reduce((sum, { observations }) => sum + observations.length, 0),
        removeForGood: (store, change) => purgeSomeObservations(store, change, deletions),
      }),
  });
