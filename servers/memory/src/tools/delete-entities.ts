// delete_entities: entities with their relations.
import { tool } from "@oarlock/server-kit";
import { deleteEntities as remove, weightOf } from "../graph/write/deletion.ts";
import { purgeEntities } from "../graph/write/purge.ts";
import type { Parts } from "../dependencies.ts";
import { deleted } from "../replies/delete-reply.ts";
import { object, purge, result, texts, z } from "../schema.ts";

export const deleteEntities = (parts: Parts) =>
  tool({
    name: "delete_entities",
    title: "Delete Entities",
    description: "Delete entities with their relations; get_history still tells them.",
    input: () => object({ entityNames: texts("Names of entities"), purge }),
    output: () => result({ success: z.boolean(), message: z.string() }),
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    run: ({ entityNames, purge }, ctx) =>
      deleted(parts, ctx, {
        message: "Entities deleted successfully",
        purge,
        doomed: [...new Set(entityNames)],
        remove: (store, change) => remove(store, change, entityNames),
        weight: (store) => weightOf(store, entityNames),
        removeForGood: (store, change) => purgeEntities(store, change, entityNames),
      }),
  });
