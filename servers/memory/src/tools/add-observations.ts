// add_observations: adds observations to entities; superseded ones stay in history.
import { counted } from "@oarlock/domain-kit";
import { tool } from "@oarlock/server-kit";
import { authorOf } from "../scopes/author.ts";
import type { Dependencies } from "../dependencies.ts";
import { estimateBytes } from "../graph/read/json-size.ts";
import { describeTimes } from "../graph/rows/fact-times.ts";
import { addObservations as add, type AddedObservations, type ObservationsOf } from "../graph/write/creation.ts";
import { createReply } from "../replies/create-reply.ts";
import { createdRemark, listRemark, quoteFact, quoteName, similarRemark, storedRemark } from "../replies/remarks.ts";
import { writeAskingAboutSimilar } from "../replies/similar-names.ts";
import { factTimes, flag, list, object, optionalTexts, result, text, texts, z } from "../schema.ts";

export const addObservations = ({ memory, maxResultBytes }: Dependencies) =>
  tool({
    name: "add_observations",
    title: "Add Observations",
    description: "Add observations. For what changes, name the old fact in supersedes and give validFrom.",
    input: () =>
      object({
        observations: list(
          {
            entityName: text("The entity"),
            contents: texts("Facts, one each"),
            supersedes: optionalTexts("Exact texts replaced"),
            tags: optionalTexts("Tags of the entity"),
            ...factTimes,
          },
          "By entity",
        ),
        createMissing: flag("Create missing"),
      }),
    output: () => result({ results: z.array(z.object({ entityName: z.string(), addedObservations: z.array(z.string()) })) }),
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    async run({ observations, createMissing }, ctx) {
      const added = await writeAskingAboutSimilar(ctx, (onSimilar) =>
        memory.writeInSlices(authorOf(ctx), (rows, call) => add(rows, call, observations, createMissing, onSimilar), ctx.signal),
      );
      const { results, ...notices } = added;
      const count = results.reduce((sum, { addedObservations }) => sum + addedObservations.length, 0);
      return createReply({
        key: "results",
        items: results,
        bytesOf: estimateBytes,
        summary: storedRemark({ observations: count }, "Added"),
        notices,
        remarks: toRemarks(added),
        maxResultBytes,
      });
    },
  });

const toRemarks = ({ created, similar, superseded, existing, retimed = [], tagged = [] }: AddedObservations): string[] => {
  const quote = ({ entityName, observations }: ObservationsOf): string =>
    `${counted(observations.length, "observation")} of ${quoteName(entityName)}`;
  return [
    ...createdRemark(created),
    ...similarRemark(similar),
    ...listRemark("Superseded", superseded, (one) => `${quote(one)}${one.until === undefined ? "" : ` (valid until ${one.until})`}`),
    ...listRemark("Not added, because they exist", existing, quote),
    ...listRemark("Times are now", retimed, (one) => `${quoteFact(one.entityName, one.observation)} ${describeTimes(one)}`),
    ...listRemark("Tags were added to", tagged, quoteName),
  ];
};
