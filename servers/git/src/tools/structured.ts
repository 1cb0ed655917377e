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

/** Text that no host cuts; of a longer one only the beginning is sure to be seen. */
const UNCUT_BYTES = 10_000;

/** A text and the line that names the next page: behind the text, or before one that hosts may cut. */
export function withCursor(text: string, nextCursor: string | undefined): string {
  if (nextCursor === undefined) return text;
  const more = `[more: continue with cursor ${nextCursor}]`;
  return Buffer.byteLength(text) > UNCUT_BYTES ? `${more}\n${text}` : `${text}${text.endsWith("\n") ? "" : "\n"}${more}`;
}

/**
 * A page with its notices.
 * `clipped`: what was shortened on the page, such as "long lines". `title`: the first line of the reply.
 */
export function withPageNotices(text: string, nextCursor: string | undefined, clipped?: string, title?: string): string {
  const page = clipped === undefined ? text : `${text}\n[truncated: ${clipped} are clipped]`;
  return `${title === undefined ? "" : `${title}\n`}${withCursor(page, nextCursor)}`;
}
