// Schemas of arguments and results by zod/mini, and the kinds of argument that the tools share.
import { z } from "@oarlock/server-kit/zod";

export { choice, count, flag, object, result, z } from "@oarlock/server-kit/zod";

/** Half a surrogate pair is no character: another one would take its place on the way to git. */
const whole = z.refine<string>((value) => value.isWellFormed(), "is not well-formed text (half a surrogate pair)");

/** Text that is passed to no program as an argument of its own. */
export const text = (description: string) =>
  z.string().check(
    z.refine((value) => !value.includes("\0"), "may not hold a NUL character"),
    whole,
    z.describe(description),
  );

// What git could take for an option, or for two lines, is none of these; a name of a file may begin with a dash.
// oxlint-disable-next-line no-control-regex
const PLAIN = /^(?!-)[^\u0000-\u001f\u007f]{0,4096}$/;

const plain = () =>
  z.string().check(
    z.refine((value) => PLAIN.test(value), "may not begin with -, hold control characters or be longer than 4,096"),
    whole,
  );

/** A revision, name, date or pattern. */
export const word = (description: string) => plain().check(z.describe(description));
export const maybe = (description: string) => z.optional(word(description));

// A name may begin with a dash; it is passed where only names are read.
// oxlint-disable-next-line no-control-regex
const NAME = /^[^\u0000]{1,4096}$/;
const name = () =>
  z.string().check(
    z.refine((value) => NAME.test(value), "expected a path of 1 to 4,096 characters"),
    whole,
  );
export const file = (description: string) => name().check(z.describe(description));
export const files = (description: string) => z.array(name()).check(z.describe(description));
export const paths = z._default(z.array(name()), []).check(z.describe("Only these files or folders"));

export const repo_path = z.optional(word("Repository path or name"));
export const cursor = z.optional(text("nextCursor, to go on"));
