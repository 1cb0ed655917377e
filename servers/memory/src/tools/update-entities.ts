// update_entities: other names and types; two entities become one, after a yes.
import { tool, type InteractiveContext } from "@oarlock/server-kit";
import { mergesIn, updateEntities as update, type Update } from "../graph/write/update.ts";
import { weighAny } from "../graph/read/json-size.ts";
import { made } from "../replies/create-reply.ts";
import type { Parts } from "../dependencies.ts";
import { needYes, shownName } from "../confirmation.ts";
import { flag, list, object, result, text, things, z } from "../schema.ts";

export const updateEntities = (parts: Parts) =>
  tool({
    name: "update_entities",
    title: "Update Entities",
    description: "Rename entities (relations follow), change their types, or merge them; merging asks first.",
    input: () =>
      object({
        updates: list(
          {
            name: text("The entity"),
            newName: z.optional(text("Its new name")),
            entityType: z.optional(text("Its new type")),
            merge: flag("Go into the entity of that name"),
          },
          "By entity",
        ),
      }),
    output: () => result({ entities: things }),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run({ updates }, ctx) {
      const mayMerge = await askBeforeMerges(parts, updates, ctx);
      const entities = await parts.memory.change(ctx.client.name, (store, change) => update(store, change, updates, mayMerge), ctx.signal);
      return made("entities", entities, { weigh: weighAny, maxResultBytes: parts.maxResultBytes, facts: {} });
    },
  });

/** Whether there may be merges. */
async function askBeforeMerges({ memory, allowPurge }: Parts, updates: readonly Update[], ctx: InteractiveContext): Promise<boolean> {
  if (allowPurge) return true;
  const [first, ...others] = await memory.look((store) => mergesIn(store, updates));
  if (first === undefined) return false;
  const rest = others.length === 0 ? "" : ` and ${others.length} more`;
  await needYes(ctx, {
    message: `Merge ${shownName(first.name)} into ${shownName(first.into)}${rest}? They cannot be told apart afterwards.`,
    act: "merge entities",
    way: "Start the server with --allow-purge to allow it without a question, or give another name.",
  });
  return true;
}
