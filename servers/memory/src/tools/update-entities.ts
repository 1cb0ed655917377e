// update_entities: renames entities, changes their types, and merges them after confirmation.
import { tool, type InteractiveContext } from "@oarlock/server-kit";
import { nameInQuestion, requireConfirmation } from "../replies/confirmation.ts";
import { authorOf } from "../scopes/author.ts";
import type { Dependencies } from "../dependencies.ts";
import { estimateBytes } from "../graph/read/json-size.ts";
import { updateEntities as update, type EntityUpdate } from "../graph/write/update.ts";
import { createReply } from "../replies/create-reply.ts";
import { entityCount, listRemark, quoteName } from "../replies/remarks.ts";
import { flag, list, object, optionalTexts, result, text, z } from "../schema.ts";

export const updateEntities = (deps: Dependencies) =>
  tool({
    name: "update_entities",
    title: "Update Entities",
    description: "Rename, retype, tag or merge entities; relations follow, merging asks first.",
    input: () =>
      object({
        updates: list(
          {
            name: text("The entity"),
            newName: z.optional(text("New name")),
            entityType: z.optional(text("New type")),
            tags: optionalTexts("New tags"),
            merge: flag("Merge into newName"),
          },
          "By entity",
        ),
      }),
    output: () => result({}),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run({ updates }, ctx) {
      const { memory, maxResultBytes } = deps;
      const mayMerge = await confirmMerges(deps, updates, ctx);
      const entities = await memory.write(authorOf(ctx), (rows, call) => update(rows, call, updates, mayMerge), ctx.signal);
      for (const { name, merged } of entities)
        if (merged !== undefined) ctx.log.info(`Merged: ${quoteName(merged)} into ${quoteName(name)}.`);
      const unchanged = entities.filter((entity) => entity.unchanged);
      const count = entities.length - unchanged.length;
      const summary = count === 0 ? "Updated nothing." : `Updated: ${entityCount(count)}.`;
      const remarks = listRemark("Unchanged, as they were so before", unchanged, ({ name }) => quoteName(name));
      return createReply({ key: "entities", items: entities, bytesOf: estimateBytes, summary, notices: {}, remarks, maxResultBytes });
    },
  });

/** Whether merges are allowed. False where there are none. Throws where the updates are not possible, or the user declines. */
async function confirmMerges(
  { memory, allowPurge }: Dependencies,
  updates: readonly EntityUpdate[],
  ctx: InteractiveContext,
): Promise<boolean> {
  if (allowPurge) return true;
  if (!updates.some(({ merge }) => merge)) return false;
  // oxlint-disable-next-line require-yield
  const outcome = await memory.dryRun(function* (rows, call) {
    return update(rows, call, updates, true);
  }, ctx.signal);
  const [first, ...others] = outcome.flatMap(({ name, merged }) => (merged === undefined ? [] : [{ name: merged, into: name }]));
  if (first === undefined) return false;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  await requireConfirmation(ctx, {
    question: `Merge ${nameInQuestion(first.name)} into ${nameInQuestion(first.into)}${more}? A merge cannot be undone.`,
    action: "merge entities",
    alternative: `Instead, add the observations of ${quoteName(first.name)} to ${quoteName(first.into)} with add_observations and its relations with create_relations, then delete it with delete_entities. Only --allow-purge lets merges run without confirmation.`,
  });
  return true;
}
