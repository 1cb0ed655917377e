// Writes bytes at positions of an open file.
import { write, writeSync } from "node:fs";
import { promisify } from "node:util";
import type { Fill } from "./replacement.ts";

const NOW_BYTES = 4 * 1024 * 1024;
const BLOCK_BYTES = 256 * 1024;
const writeOnce = promisify(write);

/** Writes bytes: few synchronously, many in blocks off the main thread. */
export function bytesFill(bytes: Buffer, signal?: AbortSignal): Fill {
  return async (fd) => {
    if (bytes.length <= NOW_BYTES) {
      await writeAt(fd, bytes, 0, true);
      return bytes.length;
    }
    for (let done = 0; done < bytes.length; done += BLOCK_BYTES) {
      signal?.throwIfAborted();
      await writeAt(fd, bytes.subarray(done, done + BLOCK_BYTES), done);
    }
    return bytes.length;
  };
}

/** Writes all bytes at a position. */
export async function writeAt(fd: number, bytes: Buffer, position: number, now = false): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const [from, length] = [done, bytes.length - done];
    done += now
      ? writeSync(fd, bytes, from, length, position + from)
      : (await writeOnce(fd, bytes, from, length, position + from)).bytesWritten;
  }
}
