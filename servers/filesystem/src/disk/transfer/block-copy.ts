// The bytes of one open file into another, block by block. What is a hole in the source is one in the copy, or the copy of a file that
// is nearly empty on the disk would fill it.
import { ftruncateSync, type BigIntStats } from "node:fs";
import { BLOCK_BYTES, readInto } from "../read/byte-reader.ts";
import { writeAt } from "../write/atomic-replace.ts";

/** The system counts the room of a file in these, whatever its own blocks are. */
const COUNTED_BYTES = 512n;

/** `stat`: of the source, which must stand still meanwhile; the caller finds out whether it did. */
export async function copyBlocks(
  source: number,
  fd: number,
  stat: BigIntStats,
  signal: AbortSignal | undefined,
  copied?: (bytes: number) => void,
): Promise<void> {
  const size = Number(stat.size);
  const block = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, Math.max(size, 1)));
  const zeros = stat.blocks * COUNTED_BYTES < stat.size ? Buffer.alloc(block.length) : undefined;
  for (let at = 0; at < size;) {
    const bytes = await readInto(source, block.subarray(0, Math.min(block.length, size - at)), at, signal);
    if (bytes.length === 0) break;
    if (zeros?.subarray(0, bytes.length).equals(bytes) !== true) await writeAt(fd, bytes, at);
    at += bytes.length;
    copied?.(bytes.length);
  }
  if (zeros !== undefined) ftruncateSync(fd, size);
}
