// The kinds of argument that the tools share.
import { text, z } from "@oarlock/server-kit/zod";

export { choice, count, flag, object, result, text, z } from "@oarlock/server-kit/zod";

export const texts = (description: string) => z._default(z.array(z.string()), []).check(z.describe(description));

/** An optional integer of at least 0. */
export const position = (description: string) => z.optional(z.int().check(z.minimum(0))).check(z.describe(description));

export const path = text("File path");
export const folder = text("Directory path");
export const cursor = z.optional(text("nextCursor, to go on"));
/** The name of an encoding of text. */
export const encoding = z.optional(text("utf-16le, gbk, …; else detected"));
