// What every tool is made from.
import type { Folders } from "./folders.ts";

export interface Parts {
  readonly folders: Folders;
  /** The most that one reply may weigh, in bytes. */
  readonly maxResultBytes: number;
  /** Overwriting moves and deletions go on without a question. */
  readonly allowDelete: boolean;
}

/** What a page may weigh beside its cursor, which names the last path of the page and stands in a reply three times. */
export const pageRoom = (maxResultBytes: number): number => maxResultBytes - Math.min(20_000, maxResultBytes / 4);
