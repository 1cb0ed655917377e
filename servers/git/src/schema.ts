// The kinds of argument that tools share. Schemas are zod's, by the kit.
import { z } from "@oarlock/server-kit/zod";

export { choice, count, flag, object, result, z } from "@oarlock/server-kit/zod";

// UTF-8 has no half surrogate pairs: git would receive another character.
const wellFormed = z.refine<string>((value) => value.isWellFormed(), "is not well-formed text (half a surrogate pair)");

/** Text that never becomes an argument of git, such as a commit message. */
export const text = (description: string) =>
  z.string().check(
    z.refine((value) => !value.includes("\0"), "cannot hold a NUL character"),
    wellFormed,
    z.describe(description),
  );

// git takes a leading dash for an option.
// oxlint-disable-next-line no-control-regex
const SAFE_ARGUMENT = /^(?!-)[^\u0000-\u001f\u007f]{0,4096}$/;

/** A revision, name, date or pattern: text that becomes an argument of git. */
export const word = (description: string) =>
  z.string().check(
    z.refine((value) => SAFE_ARGUMENT.test(value), "cannot begin with -, hold control characters or be longer than 4,096"),
    wellFormed,
    z.describe(description),
  );
export const optionalWord = (description: string) => z.optional(word(description));

/** A whole number of at least 0. */
export const lines = (description: string, defaultValue: number) =>
  z._default(z.int().check(z.minimum(0)), defaultValue).check(z.describe(description));

// A name of a file may begin with a dash: it is passed only where git reads names.
// oxlint-disable-next-line no-control-regex
const FILE_NAME = /^[^\u0000]{1,4096}$/;
const fileName = () =>
  z.string().check(
    z.refine((value) => FILE_NAME.test(value), "must be a path of 1 to 4,096 characters"),
    wellFormed,
  );
export const file = (description: string) => fileName().check(z.describe(description));
export const files = (description: string) => z.array(fileName()).check(z.describe(description));
export const paths = z._default(z.array(fileName()), []).check(z.describe("Only these"));

/** Entries of a result. Their members stand in the manual: here each word costs tokens of every list. */
export const items = () => z.array(z.unknown().check(z.meta({ type: "object" })));

export const repo_path = optionalWord("Path or name");
export const cursor = z.optional(text("From nextCursor"));
