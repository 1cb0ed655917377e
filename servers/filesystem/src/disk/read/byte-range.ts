// A range of bytes of a text: from the character that holds its first byte up to the last one that ends within it, so that ranges that follow
// each other have all characters, each of them once.
import { clip } from "@oarlock/domain-kit";
import { DiskError } from "../errors.ts";
import { characterBefore } from "../text/line-window.ts";
import { readInto } from "./byte-reader.ts";
import type { Reach } from "./line-seeker.ts";
import type { ReadOptions } from "./read-options.ts";

/** Where characters have no mark of their own, as in gbk, they are counted from a newline that is at most so far away. An even number. */
const CONTEXT_BYTES = 16 * 1024;
/** A character has no more bytes. */
const CHARACTER_BYTES = 4;

export interface ByteRange {
  readonly part: Buffer;
  readonly bytes: readonly [from: number, to: number];
  /** More was wanted than there is room for. */
  readonly truncated: boolean;
}

/** `reach.from`: the first byte behind a byte order mark. */
export async function byteRange(
  reach: Reach,
  given: string,
  { byteOffset = 0, byteLimit }: ReadOptions,
  maxBytes: number,
): Promise<ByteRange> {
  const { encoding, size } = reach;
  if (byteOffset >= size && byteOffset > 0)
    throw new DiskError("invalid", `byteOffset ${byteOffset} is past the end: the file has ${size} bytes: ${clip(given)}`);
  const first = Math.min(Math.max(byteOffset, reach.from), size);
  const wanted = Math.min(byteLimit === undefined ? size : byteOffset + byteLimit, size);
  const last = Math.max(Math.min(wanted, first + maxBytes), first);
  const origin = first - reach.from > CONTEXT_BYTES ? reach.from + Math.floor((first - reach.from - CONTEXT_BYTES) / 2) * 2 : reach.from;
  const length = Math.min(last + CHARACTER_BYTES, size) - origin;
  const around = await readInto(reach.fd, Buffer.allocUnsafe(Math.max(length, 0)), origin, reach.signal);
  const from = characterBefore(around, encoding, first - origin);
  // A file may have become shorter.
  const end = Math.min(last - origin, around.length);
  let to = characterBefore(around, encoding, end);
  // A character that is longer than the range is returned nevertheless, because a read must go on.
  for (let more = 1; to <= from && to < around.length && more <= CHARACTER_BYTES; more += 1)
    to = characterBefore(around, encoding, Math.min(end + more, around.length));
  const bytes = [origin + from, origin + Math.max(to, from)] as const;
  return { part: around.subarray(from, Math.max(to, from)), bytes, truncated: last < wanted };
}
