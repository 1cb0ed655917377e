// add_observations: more facts about entities; facts that are over stay in history.
import { tool } from "@oarlock/server-kit";
import { after } from "../at-once.ts";
import { addObservations as add } from "../graph/write/creation.ts";
import { weighAny } from "../graph/read/json-size.ts";
import { made } from "../replies/create-reply.ts";
import type { Parts } from "../dependencies.ts";
import { flag, list, object, optionalTexts, result, text, texts, z } from "../schema.ts";

export const addObservations = ({ memory, maxResultBytes }: Parts) =>
  tool({
    name: "add_observations",
    title: "Add Observations",
    description: "Add observations to entities. Facts that are over go into supersedes: get_history still tells them.",
    input: () =>
      object({
        observations: list(
          {
            entityName: text("The entity"),
            contents: texts("Facts, one each"),
            supersedes: optionalTexts("What they replace, word for word"),
          },
          "By entity",
        ),
        createMissing: flag("Make missing entities"),
      }),
    output: () => result({ results: z.array(z.object({ entityName: z.string(), addedObservations: z.array(z.string()) })) }),
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    run: ({ observations, createMissing }, ctx) =>
      after(
        memory.changeInSteps(ctx.client.name, {
          steps: (store, change) => add(store, change, observations, createMissing),
          weight: observations.reduce((sum, { contents }) => sum + 1 + contents.length, 0),
          signal: ctx.signal,
        }),
        ({ results, ...facts }) => made("results", results, { weigh: weighAny, maxResultBytes, facts }),
      ),
  });
