// delete_observations: deletes observations of entities.
import { clip } from "@oarlock/domain-kit";
import { tool } from "@oarlock/server-kit";
import type { Dependencies } from "../dependencies.ts";
import { deleteObservations as deleteAll } from "../graph/write/deletion.ts";
import { deleteWithReply } from "../replies/delete-reply.ts";
import { deletionResult, list, object, purge, text, texts } from "../schema.ts";

/** Of an entity in the question before a purge, which has the text too. */
const MAX_NAME_LENGTH = 30;

export const deleteObservations = (deps: Dependencies) =>
  tool({
    name: "delete_observations",
    title: "Delete Observations",
    description: "Delete wrong observations; supersedes ends outdated ones.",
    input: () =>
      object({
        deletions: list({ entityName: text("The entity"), observations: texts("Exact texts") }, "By entity"),
        purge,
      }),
    output: deletionResult,
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    run: ({ deletions, purge }, ctx) =>
      deleteWithReply(deps, ctx, {
        message: "Observations deleted successfully",
        purge,
        items: deletions.flatMap(({ entityName, observations }) =>
          observations.map((text) => `${clip(entityName, MAX_NAME_LENGTH)}: ${text}`),
        ),
        deleteAll: (rows, call) => deleteAll(rows, call, deletions),
        purgeAll: { kind: "observations", deletions },
      }),
  });
