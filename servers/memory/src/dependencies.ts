// What every tool, resource and prompt is made from.
import type { MirroredNotes } from "./addon-ports.ts";
import type { Graph } from "./graph/graph.ts";
import type { Preference } from "./graph/search/preferences.ts";

export interface Dependencies {
  readonly memory: Graph;
  /** The notes that are kept in step with the memory. */
  readonly notes?: Pick<MirroredNotes, "purge"> | undefined;
  /** Largest result, in bytes. */
  readonly maxResultBytes: number;
  /** Purges, merges and large deletions need no confirmation by the user. */
  readonly allowPurge: boolean;
  /** Deletions of more entities than this need confirmation. */
  readonly maxUnconfirmedDeletions: number;
  /** What decides besides the match in searches. */
  readonly preference: Preference;
}

const RESERVED_BYTES = 20_000;

/** Text and structured result together. The text is then below 64,000 bytes, after which hosts cut. */
export const DEFAULT_CONTENT_BYTES = 100_000;

/** How large the content of a result may be: `wantedBytes`, or less where `maxResultBytes` is lower. */
export const contentBytes = ({ maxResultBytes }: Dependencies, wantedBytes: number = DEFAULT_CONTENT_BYTES): number =>
  Math.min(wantedBytes, maxResultBytes - Math.min(RESERVED_BYTES, maxResultBytes / 4));
