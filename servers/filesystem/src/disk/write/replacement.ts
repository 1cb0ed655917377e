// How a file is replaced: what is known of the old file, and what the new one takes over.
import type { BigIntStats } from "node:fs";
import type { AttributeTakeover } from "../attributes/attribute-takeover.ts";
import type { DiskCalls } from "./disk-calls.ts";

export interface Replacement {
  /** The file that the name leads to now; its mode and owner are kept. Undefined for a new file. */
  readonly old: BigIntStats | undefined;
  /** The file of which the new one is a copy: it gets its mode, not that of the old file. */
  readonly source?: BigIntStats;
  /** What the new file takes over beside mode and owner. */
  readonly attributes?: AttributeTakeover | undefined;
  /** The source is removed afterwards, so the new file gets its owner too, as far as the system permits. */
  readonly isMove?: boolean;
  /** `fill` does not read `old`, so the content of `old` may be written where its name cannot be replaced. */
  readonly mayWriteInPlace?: boolean | undefined;
  /** Throw if the name exists, even if it was free a moment ago. */
  readonly mustBeNew?: boolean;
  /** Throw unless the name still leads to `old`, unchanged. */
  readonly mustBeOld?: boolean;
  readonly calls?: DiskCalls | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Writes the new file. Returns the number of bytes that it must have. */
export type Fill = (fd: number) => Promise<number>;
