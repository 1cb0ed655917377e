// Handles on objects of the file system, and the ways of getting them: see linux-handle.ts and portable-handle.ts.
import type { BigIntStats } from "node:fs";

/** One held object. `release` is called exactly once. */
export interface RawHandle {
  readonly stat: BigIntStats;
  /** A path for calls on the object itself. */
  readonly self: string;
  /** A path for calls on one entry of a held directory. */
  at(name: string): string;
  /** Opens the content. Only for regular files and directories. */
  open(flags: number): number;
  /** The path of the object at this moment, as the system knows it. */
  realPath(): string;
  /** Whether `self` still leads to the object. Always so on Linux. */
  isInPlace(): boolean;
  release(): void;
}

export interface HandleProvider {
  /** Takes hold of a directory, for the caller to compare with a known one. */
  base(path: string): RawHandle;
  /** Takes hold of a directory in a held one. Throws ENOTDIR for a link and for everything else. */
  enter(from: RawHandle, name: string): RawHandle;
  /** Takes hold of one entry of a held directory; a link is held as a link. ".." is the directory above. */
  step(from: RawHandle, name: string): RawHandle;
}
