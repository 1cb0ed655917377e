// create_relations: creates relations between names, which need not be names of entities.
import { tool } from "@oarlock/server-kit";
import { authorOf } from "../scopes/author.ts";
import type { Dependencies } from "../dependencies.ts";
import { bytesOfRelation } from "../graph/read/json-size.ts";
import { createRelations as create, type CreatedRelations } from "../graph/write/relation-creation.ts";
import { describeTimes } from "../graph/rows/fact-times.ts";
import { createReply } from "../replies/create-reply.ts";
import { createdRemark, listRemark, quoteName, quoteRelation, similarRemark, storedRemark } from "../replies/remarks.ts";
import { writeAskingAboutSimilar } from "../replies/similar-names.ts";
import { flag, list, object, relations, relationShape, result, text, z } from "../schema.ts";

export const createRelations = ({ memory, maxResultBytes }: Dependencies) =>
  tool({
    name: "create_relations",
    title: "Create Relations",
    description: "Create relations. Existing ones are skipped.",
    input: () =>
      object({
        relations: list({ ...relationShape, validFrom: z.optional(text("Holds from")), validTo: z.optional(text("Until")) }, "Relations"),
        createMissing: flag("Create missing"),
      }),
    output: () => result({ relations }),
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    async run({ relations: wanted, createMissing }, ctx) {
      const created = await writeAskingAboutSimilar(ctx, (onSimilar) =>
        memory.writeInSlices(authorOf(ctx), (rows, call) => create(rows, call, wanted, createMissing, onSimilar), ctx.signal),
      );
      const { relations, ...notices } = created;
      return createReply({
        key: "relations",
        items: relations,
        bytesOf: bytesOfRelation,
        summary: storedRemark({ relations: relations.length }, "Created"),
        notices,
        remarks: toRemarks(created),
        maxResultBytes,
      });
    },
  });

const toRemarks = ({ skipped, retimed = [], created, similar, dangling }: CreatedRelations): string[] => [
  ...listRemark("Skipped, because they exist", skipped, quoteRelation),
  ...listRemark("Times are now", retimed, (relation) => `${quoteRelation(relation)} ${describeTimes(relation)}`),
  ...createdRemark(created),
  ...similarRemark(similar),
  ...listRemark("Names that no entity has", dangling, quoteName, "Create them with create_entities, or correct the relations."),
];
