// How many there are, in words.

/** `counted(1, "row")` is `1 row`; the others have an s. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
