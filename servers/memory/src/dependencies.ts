// What every tool is made from.
import type { Memory } from "./graph/memory.ts";

export interface Parts {
  readonly memory: Memory;
  /** The most that one reply may weigh, in bytes. */
  readonly maxResultBytes: number;
  /** Purging, merging and large deletions go on without a question. */
  readonly allowPurge: boolean;
  /** Deletions of more entities than this ask first. */
  readonly askAbove: number;
}

/** What a tool's own default leaves of the room, where the bound is lower. */
export const roomFor = ({ maxResultBytes }: Parts, bytes: number): number =>
  Math.min(bytes, maxResultBytes - Math.min(20_000, maxResultBytes / 4));
