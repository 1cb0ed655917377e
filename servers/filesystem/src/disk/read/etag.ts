// A mark that changes when the content changes. Up to a bound it is a hash of the content, so that a change within one
// tick of the clock, or with the times set back, is seen too; above it the facts of the system must do: size, times in
// nanoseconds (the time of change cannot be set back) and inode.
import { fstatSync, type BigIntStats } from "node:fs";
import { digest } from "../text/hash.ts";

/** Files up to this size are hashed, and read in one go. */
export const HASHED_BYTES = 4 * 1024 * 1024;

export function etagOfContent(content: Buffer): string {
  return `c-${digest(content)}`;
}

export function etagOfFacts(stat: BigIntStats): string {
  return `f-${digest(`${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`)}`;
}

/** The mark of a file whose content the caller has just written or read in full through `fd`. */
export function etagOf(content: Buffer, fd: number): string {
  return content.length <= HASHED_BYTES ? etagOfContent(content) : etagOfFacts(fstatSync(fd, { bigint: true }));
}
