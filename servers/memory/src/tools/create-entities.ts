// create_entities: creates entities; existing ones stay as they are.
import { tool } from "@oarlock/server-kit";
import type { Dependencies } from "../dependencies.ts";
import { bytesOfEntity } from "../graph/read/json-size.ts";
import { createEntities as create, type CreatedEntities } from "../graph/write/creation.ts";
import { createReply } from "../replies/create-reply.ts";
import { listRemark, quoteName, similarRemark } from "../replies/remarks.ts";
import { entities, entityShape, list, object, result } from "../schema.ts";

export const createEntities = ({ memory, maxResultBytes }: Dependencies) =>
  tool({
    name: "create_entities",
    title: "Create Entities",
    description: "Create entities. Existing names are skipped: use add_observations.",
    input: () => object({ entities: list(entityShape, "The new entities") }),
    output: () => result({ entities }),
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    async run({ entities: wanted }, ctx) {
      const created = await memory.writeInSlices(ctx.client.name, (rows, call) => create(rows, call, wanted), ctx.signal);
      const { entities, ...notices } = created;
      return createReply({
        key: "entities",
        items: entities,
        bytesOf: bytesOfEntity,
        notices,
        remarks: toRemarks(created),
        maxResultBytes,
      });
    },
  });

const toRemarks = ({ skipped, similar }: CreatedEntities): string[] => [
  ...listRemark("Skipped, because they exist", skipped, quoteName, "Use add_observations for what is new about them."),
  ...similarRemark(similar),
];
