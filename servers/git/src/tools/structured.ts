// Helpers for structured content.

/** Copies of typed objects, as schemas take them that allow further members. */
export const toObjects = <T extends object>(items: readonly T[]): { [K in keyof T]: T[K] }[] => items.map((item) => ({ ...item }));

/** The members of a page: whether it is cut, and where the next one begins. */
export const pageMembers = (nextCursor: string | undefined, isClipped = false) => ({
  truncated: isClipped || nextCursor !== undefined,
  ...(nextCursor !== undefined && { nextCursor }),
});

/** The notice at the end of a page. `clipped`: what was shortened on it, such as "long lines". */
export const pageNotice = (nextCursor: string | undefined, clipped?: string): string =>
  (clipped === undefined ? "" : `\n[truncated: ${clipped} are clipped]`) +
  (nextCursor === undefined ? "" : `\n[more: continue with cursor ${nextCursor}]`);
