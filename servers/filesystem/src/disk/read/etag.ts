// Etags, which change when the content changes. Up to a bound an etag is a hash of the content, so it also changes where size and times
// stay. Above it the etag is a hash of the metadata: size, inode, and times in nanoseconds (the time of change cannot be set back).
import { fstatSync, type BigIntStats } from "node:fs";
import { digest } from "../text/hash.ts";

/** Files up to this size are hashed, and read in one piece. */
export const HASHED_BYTES = 4 * 1024 * 1024;

export function etagOfContent(content: Buffer): string {
  return `c-${digest(content)}`;
}

export function etagOfFacts(stat: BigIntStats): string {
  return `f-${digest(`${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`)}`;
}

/** The etag of a file whose complete content the caller has just written or read through `fd`. */
export function etagOf(content: Buffer, fd: number): string {
  return content.length <= HASHED_BYTES ? etagOfContent(content) : etagOfFacts(fstatSync(fd, { bigint: true }));
}
