// What every tool, resource and prompt is made from.
import type { Memory } from "./graph/memory.ts";

export interface Dependencies {
  readonly memory: Memory;
  /** Largest result, in bytes. */
  readonly maxResultBytes: number;
  /** Purges, merges and large deletions need no confirmation by the user. */
  readonly allowPurge: boolean;
  /** Deletions of more entities than this need confirmation. */
  readonly maxUnconfirmedDeletions: number;
}

const RESERVED_BYTES = 20_000;

/** How large the content of a result may be: its own default, or less where `maxResultBytes` is lower. */
export const contentBytes = ({ maxResultBytes }: Dependencies, defaultBytes: number): number =>
  Math.min(defaultBytes, maxResultBytes - Math.min(RESERVED_BYTES, maxResultBytes / 4));
