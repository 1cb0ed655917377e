// Finds and reads lines of a large file, block by block.
import { DiskError } from "../errors.ts";
import { afterNewline, afterNewlineBefore } from "../text/lines.ts";
import { BLOCK_BYTES, readInto } from "./byte-reader.ts";
import { unitOf, type Encoding } from "../text/encoding.ts";

/** The part of an open file that is searched: from the start of its text to the size that it had when it was opened. */
export interface Reach {
  readonly fd: number;
  readonly encoding: Encoding;
  readonly from: number;
  readonly size: number;
  readonly signal: AbortSignal | undefined;
}

/** The position of a line. Where the file has fewer lines, `line` is their number. */
export async function seekLine(reach: Reach, wanted: number): Promise<{ at: number; line: number }> {
  if (wanted === 1) return { at: reach.from, line: 1 };
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  let at = reach.from;
  let line = 1;
  let begins = at;
  while (line < wanted && at < reach.size) {
    const bytes = await readInto(reach.fd, block.subarray(0, Math.min(BLOCK_BYTES, reach.size - at)), at, reach.signal);
    if (bytes.length === 0) break;
    for (let next = afterNewline(bytes, reach.encoding, 0); next !== -1; next = afterNewline(bytes, reach.encoding, next)) {
      line += 1;
      begins = at + next;
      if (line === wanted) return placeAt(begins, line, reach);
    }
    at += bytes.length;
  }
  return placeAt(begins, line, reach);
}

// A newline at the end of the file begins no further line.
function placeAt(at: number, line: number, reach: Reach): { at: number; line: number } {
  return { at, line: at >= reach.size && line > 1 ? line - 1 : line };
}

/** The bytes from `reach.from` on with `count` lines, or with more than maxBytes, or up to the end. */
export async function gatherHead(reach: Reach, count: number, maxBytes: number): Promise<Buffer> {
  const blocks: Buffer[] = [];
  let length = 0;
  let lines = 0;
  while (lines < count && length <= maxBytes + 3 && reach.from + length < reach.size) {
    const want = Math.min(BLOCK_BYTES, reach.size - reach.from - length);
    const bytes = await readInto(reach.fd, Buffer.allocUnsafe(want), reach.from + length, reach.signal);
    if (bytes.length === 0) break;
    for (let at = afterNewline(bytes, reach.encoding, 0); at !== -1 && lines < count; at = afterNewline(bytes, reach.encoding, at)) {
      lines += 1;
    }
    blocks.push(bytes);
    length += bytes.length;
  }
  return Buffer.concat(blocks, length);
}

/** The bytes up to the end with more than `count` newlines, or with more than maxBytes, or from the start on. */
export async function gatherTail(reach: Reach, count: number, maxBytes: number): Promise<Buffer> {
  const unit = unitOf(reach.encoding);
  const blocks: Buffer[] = [];
  let length = 0;
  let lines = 0;
  while (lines <= count && length <= maxBytes + 3 && reach.from < reach.size - length) {
    const end = reach.size - length;
    // Blocks begin at even positions, so that no 16-bit unit is divided.
    const start = Math.max(reach.from, Math.floor((end - BLOCK_BYTES) / 2) * 2);
    const bytes = await readInto(reach.fd, Buffer.allocUnsafe(end - start), start, reach.signal);
    if (bytes.length < end - start) throw new DiskError("conflict", "File changed: it became shorter while it was being read. Try again.");
    for (let at = afterNewlineBefore(bytes, reach.encoding, bytes.length); at !== -1 && lines <= count;) {
      lines += 1;
      at = afterNewlineBefore(bytes, reach.encoding, at - unit);
    }
    blocks.unshift(bytes);
    length += bytes.length;
  }
  return Buffer.concat(blocks, length);
}
