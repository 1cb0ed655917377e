// What every tool is made from.
import type { Folders } from "./request-areas.ts";

export interface Parts {
  readonly folders: Folders;
  /** The most that one reply may weigh, in bytes. */
  readonly maxResultBytes: number;
  /** Overwriting moves and deletions go on without a question. */
  readonly allowDelete: boolean;
}

/** What a text or a blob may weigh beside the facts about it: with a small limit, half of it. */
export const textRoom = (maxResultBytes: number): number => maxResultBytes - Math.min(4096, Math.ceil(maxResultBytes / 2));

/** What a page may weigh beside its cursor, which names the last path of the page and stands in a reply three times. */
export const pageRoom = (maxResultBytes: number): number => maxResultBytes - Math.min(20_000, maxResultBytes / 4);
