// delete_entities: deletes entities with their relations.
import { tool } from "@oarlock/server-kit";
import type { Dependencies } from "../dependencies.ts";
import { deleteEntities as deleteAll } from "../graph/write/deletion.ts";
import { deleteWithReply } from "../replies/delete-reply.ts";
import { deletionResult, object, purge, texts } from "../schema.ts";

export const deleteEntities = (deps: Dependencies) =>
  tool({
    name: "delete_entities",
    title: "Delete Entities",
    description: "Delete entities with their relations; get_history shows them.",
    input: () => object({ entityNames: texts("Entity names"), purge }),
    output: deletionResult,
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    run: ({ entityNames, purge }, ctx) =>
      deleteWithReply(deps, ctx, {
        message: "Entities deleted successfully",
        purge,
        items: entityNames,
        deleteAll: (rows, call) => deleteAll(rows, call, entityNames),
        purgeAll: { kind: "entities", names: entityNames },
      }),
  });
