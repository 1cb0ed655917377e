// create_entities: new entities; those whose names are taken stay as they are.
import { tool } from "@oarlock/server-kit";
import { createEntities as create } from "../graph/write/creation.ts";
import { weighEntity } from "../graph/read/json-size.ts";
import { made } from "../replies/create-reply.ts";
import type { Parts } from "../dependencies.ts";
import { entities, entityShape, list, object, result } from "../schema.ts";
import { after } from "../at-once.ts";

export const createEntities = ({ memory, maxResultBytes }: Parts) =>
  tool({
    name: "create_entities",
    title: "Create Entities",
    description: "Create entities. Names that exist are skipped: add_observations is for them.",
    input: () => object({ entities: list(entityShape, "The new entities") }),
    output: () => result({ entities }),
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    run: ({ entities: wanted }, ctx) =>
      after(
        memory.changeInSteps(ctx.client.name, {
          steps: (store, change) => create(store, change, wanted),
          weight: wanted.reduce((sum, { observations }) => sum + 1 + observations.length, 0),
          signal: ctx.signal,
        }),
        ({ entities, ...facts }) => made("entities", entities, { weigh: weighEntity, maxResultBytes, facts }),
      ),
  });
