// Copies the bytes of one open file to another, block by block. Holes of a sparse file stay holes, because the copy could fill the disk
// otherwise.
import { ftruncateSync, type BigIntStats } from "node:fs";
import { BLOCK_BYTES, readInto } from "../read/byte-reader.ts";
import { writeAt } from "../write/file-bytes.ts";

/** The unit of `stat.blocks`, whatever the blocks of the file system are. */
const COUNTED_BYTES = 512n;

/** `stat`: of the source. The caller checks that the source has not changed meanwhile. */
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
