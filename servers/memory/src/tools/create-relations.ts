// create_relations: new relations between entities, also between names that are no entities yet.
import { tool } from "@oarlock/server-kit";
import { after } from "../at-once.ts";
import { createRelations as create } from "../graph/write/creation.ts";
import { weighRelation } from "../graph/read/json-size.ts";
import { made } from "../replies/create-reply.ts";
import type { Parts } from "../dependencies.ts";
import { flag, list, object, relations, relationShape, result } from "../schema.ts";

export const createRelations = ({ memory, maxResultBytes }: Parts) =>
  tool({
    name: "create_relations",
    title: "Create Relations",
    description: "Create relations. Those that exist are skipped.",
    input: () =>
      object({
        relations: list(relationShape, "The new relations"),
        createMissing: flag("Make missing entities"),
      }),
    output: () => result({ relations }),
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    run: ({ relations: wanted, createMissing }, ctx) =>
      after(
        memory.changeInSteps(ctx.client.name, {
          steps: (store, change) => create(store, change, wanted, createMissing),
          weight: wanted.length,
          signal: ctx.signal,
        }),
        ({ relations, ...facts }) => made("relations", relations, { weigh: weighRelation, maxResultBytes, facts }),
      ),
  });
