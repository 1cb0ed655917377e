// Helpers for structured content and for the size of replies.
import { escapeControls, jsonStringBytes, takeWithin } from "@oarlock/domain-kit";
import { firstNames } from "../repo/text/first-names.ts";

/** Copies of typed objects, as schemas take them that allow further members. */
export const toObjects = <T extends object>(items: readonly T[]): { [K in keyof T]: T[K] }[] => items.map((item) => ({ ...item }));

/** The members of a page: whether it is cut, and where the next one begins. */
export const pageMembers = (nextCursor: string | undefined, isClipped = false) => ({
  truncated: isClipped || nextCursor !== undefined,
  ...(nextCursor !== undefined && { nextCursor }),
});

/** Text of one reply where the caller does not ask for more: hosts cut longer ones, and with them the cursor. */
export const DEFAULT_TEXT_BYTES = 60_000;

/** The first items whose lines fit into a reply; all of them where the caller named a limit. */
export const takeLines = <T>(items: readonly T[], limit: number | undefined, lineOf: (item: T) => string): T[] =>
  takeWithin(items, limit === undefined ? DEFAULT_TEXT_BYTES : Infinity, (item) => jsonStringBytes(lineOf(item)));

const MAX_NAMED = 20;

/** Paths in one line; of many, the first ones. */
export const namesOf = (paths: readonly string[]): string => firstNames(paths.map(escapeControls), MAX_NAMED);

/**
 * A page with its notices: how to continue stands before the text, where a host that cuts it leaves it.
 * `clipped`: what was shortened on the page, such as "long lines". `title`: the first line of the reply.
 */
export function withPageNotices(text: string, nextCursor: string | undefined, clipped?: string, title?: string): string {
  const more = nextCursor === undefined ? [] : [`[more: continue with cursor ${nextCursor}]`];
  const shortened = clipped === undefined ? [] : [`[truncated: ${clipped} are clipped]`];
  return [...(title === undefined ? [] : [title]), ...more, text, ...shortened].join("\n");
}
