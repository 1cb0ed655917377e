// delete_relations: relations between entities.
import { tool } from "@oarlock/server-kit";
import { deleted } from "../replies/delete-reply.ts";
import { deleteRelations as remove } from "../graph/write/deletion.ts";
import { purgeRelations } from "../graph/write/purge.ts";
import type { Parts } from "../dependencies.ts";
import { list, object, purge, relationShape, result, z } from "../schema.ts";

export const deleteRelations = (parts: Parts) =>
  tool({
    name: "delete_relations",
    title: "Delete Relations",
    description: "Delete relations; entities stay.",
    input: () => object({ relations: list(relationShape, "The relations"), purge }),
    output: () => result({ success: z.boolean(), message: z.string() }),
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    run: ({ relations, purge }, ctx) =>
      deleted(parts, ctx, {
        message: "Relations deleted successfully",
        purge,
        doomed: [],
        remove: (store, change) => remove(store, change, relations),
        weight: relations.length,
        removeForGood: (store, change) => purgeRelations(store, change, relations),
      }),
  });
