// Schemas of arguments and results by zod/mini, and the few kinds of argument that the tools share.
import { choice, flag, object, text, texts, z } from "@oarlock/server-kit/zod";
import { DETAILS } from "./graph/read/page-builder.ts";

export { choice, count, flag, object, result, text, texts, z } from "@oarlock/server-kit/zod";

export const optionalTexts = (description: string) => z.optional(texts(description));
export const steps = (description: string, most: number) =>
  z.optional(z.int().check(z.minimum(0), z.maximum(most))).check(z.describe(description));
export const list = <Shape extends z.core.$ZodShape>(shape: Shape, description: string) =>
  z.array(z.object(shape)).check(z.describe(description));

export const cursor = z.optional(text("nextCursor, to go on"));
export const detail = z._default(choice(DETAILS, "How much of each"), "full");
export const purge = flag("For good, history too; asks first");

export const entityShape = {
  name: text("Its name"),
  entityType: text("Its type"),
  observations: texts("Facts, one each"),
};
export const relationShape = {
  from: text("Entity it starts at"),
  to: text("Entity it ends at"),
  relationType: text("In active voice"),
};

/** Lists of what needs no more words: those who get it see what it is. */
export const things = z.array(z.looseObject({}));

/** As results show them: hosts pay for every word of a list of tools, so these have none. */
export const entities = z.array(z.looseObject({ name: z.string(), entityType: z.string(), observations: z.array(z.string()) }));
export const relations = z.array(z.object({ from: z.string(), to: z.string(), relationType: z.string() }));
