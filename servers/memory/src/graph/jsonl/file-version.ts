// Versions of a file: tells whether another program has written it.
import { lstatSync, type BigIntStats } from "node:fs";

export interface FileVersion {
  /** Differs between two versions. */
  readonly identity: string;
  /** In bytes. */
  readonly size: number;
  /** When it was last written, in milliseconds since 1970. */
  readonly at: number;
}

/** Undefined where there is no such file. A link is not followed. */
export function readFileVersion(path: string): FileVersion | undefined {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat && toFileVersion(stat);
}

export const toFileVersion = ({ ino, size, mtimeMs, mtimeNs, ctimeNs }: BigIntStats): FileVersion => ({
  identity: `${ino}:${size}:${mtimeNs}:${ctimeNs}`,
  size: Number(size),
  at: Number(mtimeMs),
});
