// Schemas of arguments and results by zod/mini, and the few kinds of argument that the tools share.
import { count, text, z } from "@oarlock/server-kit/zod";

export { choice, count, flag, object, result, text, z } from "@oarlock/server-kit/zod";

export const maybe = (description: string) => z.optional(text(description));

/** A list or an object; a union of the two is what some hosts refuse. Looked at by `paramsOf`. */
export const params = z
  .optional(z.unknown())
  .check(z.describe('Values for ? as a list, or for :name as an object; {"base64": …} is a BLOB'));
export const database = maybe("Name of the database; needed when there are several");
export const timeout = count("Stop after so many milliseconds");
export const cursor = maybe("nextCursor, to go on");
