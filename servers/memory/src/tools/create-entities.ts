// create_entities: creates entities; existing ones stay as they are. The user is asked before one is created beside a similar name.
import { tool } from "@oarlock/server-kit";
import { authorOf } from "../scopes/author.ts";
import type { Dependencies } from "../dependencies.ts";
import { bytesOfEntity } from "../graph/read/json-size.ts";
import { createEntities as create, type CreatedEntities } from "../graph/write/creation.ts";
import { createReply } from "../replies/create-reply.ts";
import { declinedRemark, listRemark, quoteName, similarRemark, storedRemark } from "../replies/remarks.ts";
import { writeAskingAboutSimilar } from "../replies/similar-names.ts";
import { entities, entityShape, list, object, result } from "../schema.ts";

export const createEntities = ({ memory, maxResultBytes }: Dependencies) =>
  tool({
    name: "create_entities",
    title: "Create Entities",
    description: "Create entities. Existing names are skipped: use add_observations.",
    input: () => object({ entities: list(entityShape, "Entities") }),
    output: () => result({ entities }),
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    async run({ entities: wanted }, ctx) {
      const { created, declined } = await writeAskingAboutSimilar(ctx, async (onSimilar) => {
        const write = await memory.writeInSlices(authorOf(ctx), (rows, call) => create(rows, call, wanted, onSimilar), ctx.signal);
        return onSimilar === "refuse" ? { created: { ...write, similar: [] }, declined: write.similar } : { created: write, declined: [] };
      });
      const { entities, skipped, similar } = created;
      return createReply({
        key: "entities",
        items: entities,
        bytesOf: bytesOfEntity,
        summary: summaryOf(created),
        notices: { skipped, similar, ...(declined.length > 0 && { declined }) },
        remarks: [
          ...listRemark("Skipped, because they exist", skipped, quoteName, "Use add_observations for what is new about them."),
          ...declinedRemark(declined),
          ...similarRemark(similar),
        ],
        maxResultBytes,
      });
    },
  });

const summaryOf = ({ entities }: CreatedEntities): string =>
  storedRemark(
    { entities: entities.length, observations: entities.reduce((sum, { observations }) => sum + observations.length, 0) },
    "Created",
  );
