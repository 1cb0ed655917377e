// delete_relations: deletes relations between entities.
import { tool } from "@oarlock/server-kit";
import type { Dependencies } from "../dependencies.ts";
import { deleteRelations as deleteAll } from "../graph/write/deletion.ts";
import { deleteWithReply } from "../replies/delete-reply.ts";
import { deletionResult, list, object, purge, relationShape } from "../schema.ts";

export const deleteRelations = (deps: Dependencies) =>
  tool({
    name: "delete_relations",
    title: "Delete Relations",
    description: "Delete relations; entities stay.",
    input: () => object({ relations: list(relationShape, "Relations"), purge }),
    output: deletionResult,
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    run: ({ relations, purge }, ctx) =>
      deleteWithReply(deps, ctx, {
        message: "Relations deleted successfully",
        purge,
        items: relations.map(({ from, to, relationType }) => `${from} → ${relationType} → ${to}`),
        deleteAll: (rows, call) => deleteAll(rows, call, relations),
        purgeAll: { kind: "relations", relations },
      }),
  });
