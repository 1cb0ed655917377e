// Schemas of arguments and results by zod/mini, and the few kinds of argument that the tools share.
import { fromZodMini } from "@oarlock/server-kit/zod-mini";
import { en } from "zod/locales";
import * as z from "zod/mini";

z.config(en());

export { z };

const ready = fromZodMini(z.globalRegistry);

/** An object schema as the kit takes it. */
export const object = <Shape extends z.core.$ZodShape>(shape: Shape) => ready(z.object(shape));

/** A structured result: the members that matter are declared, and there may be more; each costs in every list of tools. */
export const result = <Shape extends z.core.$ZodShape>(shape: Shape) => ready(z.looseObject(shape));

export const text = (description: string) => z.string().check(z.describe(description));
export const maybe = (description: string) => z.optional(text(description));
export const flag = (description: string) => z._default(z.boolean(), false).check(z.describe(description));
/** A whole number of at least one; may be left out. */
export const count = (description: string) => z.optional(z.int().check(z.minimum(1))).check(z.describe(description));
export const choice = <const T extends readonly [string, ...string[]]>(values: T, description: string) =>
  z.enum(values).check(z.describe(description));

/** A list or an object; a union of the two is what some hosts refuse. Looked at by `paramsOf`. */
export const params = z
  .optional(z.unknown())
  .check(z.describe('Values for ? as a list, or for :name as an object; {"base64": …} is a BLOB'));
export const database = maybe("Name of the database; needed when there are several");
export const timeout = count("Stop after so many milliseconds");
export const cursor = maybe("nextCursor, to go on");
