// The arguments and results that several tools share.
import { choice, flag, result, text, texts, z } from "@oarlock/server-kit/zod";
import { DETAILS } from "./graph/read/page-builder.ts";

export { choice, count, flag, object, result, text, texts, z } from "@oarlock/server-kit/zod";

export const optionalTexts = (description: string) => z.optional(texts(description));
/** An optional number of relations to follow. */
export const steps = (description: string, maximum: number) =>
  z.optional(z.int().check(z.minimum(0), z.maximum(maximum))).check(z.describe(description));
/** A list of objects. */
export const list = <Shape extends z.core.$ZodShape>(shape: Shape, description: string) =>
  z.array(z.object(shape)).check(z.describe(description));

export const cursor = z.optional(text("nextCursor"));
export const detail = z._default(choice(DETAILS, "How much"), "full");
export const purge = flag("Forget, history too; asks first");

export const deletionResult = () => result({ success: z.boolean(), message: z.string() });

/** Short, as hosts send the list of tools to the model with each request. */
export const factTimes = {
  validFrom: z.optional(text("Hold from, as 2026-05")),
  validTo: z.optional(text("Hold until")),
  told: z.optional(text("When said")),
};

export const entityShape = {
  name: text("Its name"),
  entityType: text("Such as person"),
  observations: texts("Facts, one each"),
  tags: optionalTexts("Labels to filter by"),
  ...factTimes,
};
export const relationShape = {
  from: text("Start entity"),
  to: text("End entity"),
  relationType: text("Active voice"),
};

/** A list of objects in a result, without a description of their members. */
export const objects = z.array(z.looseObject({}));

/** In results, without descriptions: hosts send the list of tools to the model with each request. */
export const entities = z.array(z.looseObject({ name: z.string(), entityType: z.string(), observations: z.array(z.string()) }));
export const relations = z.array(z.looseObject({ from: z.string(), to: z.string(), relationType: z.string() }));
