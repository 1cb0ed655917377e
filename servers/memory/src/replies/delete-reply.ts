// Runs the three tools that delete: asks the user where that is necessary, deletes or purges, and shapes the result.
import type { InteractiveContext } from "@oarlock/server-kit";
import { nameInQuestion, requireConfirmation, type Confirmation } from "./confirmation.ts";
import { authorOf } from "../scopes/author.ts";
import type { Dependencies } from "../dependencies.ts";
import type { Purge, SlicedChange } from "../graph/graph.ts";
import { mentionsOf } from "../graph/read/mentions.ts";
import type { Deleted, DeletedCounts } from "../graph/write/deletion.ts";
import { deletionRemark, listRemark, missingRemark, quoteName } from "./remarks.ts";
import { reply } from "./reply.ts";

const MAX_ITEMS_IN_QUESTION = 5;

export interface Deletion {
  /** As the reference server words it. */
  readonly message: string;
  /** Purge, instead of delete. */
  readonly purge: boolean;
  /** What is named, for the question before a purge. */
  readonly items: readonly string[];
  readonly deleteAll: SlicedChange<Deleted>;
  readonly purgeAll: Purge;
}

export async function deleteWithReply(
  deps: Dependencies,
  ctx: InteractiveContext,
  { message, purge, items, deleteAll, purgeAll }: Deletion,
) {
  const confirmation = purge ? purgeConfirmation(items) : largeDeletionConfirmation(deps, purgeAll);
  if (confirmation !== undefined && !deps.allowPurge) {
    // A dry run first: what is not possible is refused without an elicitation, and a purge that finds nothing needs none.
    const isNecessary = purge ? isAny(await deps.memory.dryRunPurge(purgeAll, ctx.signal)) : true;
    if (!purge) await deps.memory.dryRun(deleteAll, ctx.signal);
    if (isNecessary) await requireConfirmation(ctx, confirmation);
  }
  const { counts, missing } = purge
    ? await purgeAndSuggest(deps, ctx, { purgeAll, deleteAll })
    : await deps.memory.writeInSlices(authorOf(ctx), deleteAll, ctx.signal);
  const remark = deletionRemark(counts, purge ? "Purged" : "Deleted");
  const mentions = purge && isAny(counts) ? await deps.memory.read((rows) => mentionsOf(rows, textsOf(purgeAll))) : [];
  const still = listRemark("Still mentioned by", mentions, quoteName, "Purge or change what they say about it, if it should be gone.");
  const remarks = [remark, ...missingRemark(missing), ...still];
  if (isAny(counts)) ctx.log.info(remark);
  return reply(message, { success: true, message, deleted: counts, ...(mentions.length > 0 && { mentions }) }, { remarks });
}

function textsOf(purge: Purge): string[] {
  switch (purge.kind) {
    case "entities":
      return [...purge.names];
    case "observations":
      return purge.deletions.flatMap(({ observations }) => observations);
    case "relations":
      return [];
  }
}

/** A purge that removes nothing suggests what was probably meant, as a deletion does. */
async function purgeAndSuggest(
  { memory, notes }: Dependencies,
  ctx: InteractiveContext,
  { purgeAll, deleteAll }: Pick<Deletion, "purgeAll" | "deleteAll">,
): Promise<Deleted> {
  const counts = await memory.purge(authorOf(ctx), purgeAll, ctx.signal);
  await notes?.purge(purgeAll);
  const missing = isAny(counts) ? [] : (await memory.dryRun(deleteAll, ctx.signal)).missing;
  return { counts, missing };
}

const isAny = (counts: DeletedCounts): boolean => Object.values(counts).some((count) => count > 0);

function purgeConfirmation(items: readonly string[]): Confirmation {
  const named = items.slice(0, MAX_ITEMS_IN_QUESTION).map(nameInQuestion).join(", ");
  const more = items.length > MAX_ITEMS_IN_QUESTION ? ` and ${items.length - MAX_ITEMS_IN_QUESTION} more` : "";
  return {
    question: `Purge the named items from the memory, with their history: ${named}${more}? A purge cannot be undone.`,
    action: "purge from the memory",
    alternative:
      "Start the server with --allow-purge to allow it without confirmation, or leave purge out: deleted items then stay in history.",
  };
}

/** Undefined where so few entities are deleted that no confirmation is necessary. */
function largeDeletionConfirmation({ maxUnconfirmedDeletions }: Dependencies, named: Purge): Confirmation | undefined {
  const entityCount = named.kind === "entities" ? new Set(named.names).size : 0;
  if (entityCount <= maxUnconfirmedDeletions) return undefined;
  return {
    question: `Delete ${entityCount} entities from the memory, with their observations and relations?`,
    action: `delete ${entityCount} entities at once`,
    alternative: `Delete at most ${maxUnconfirmedDeletions} in one call, or start the server with --allow-purge.`,
  };
}
