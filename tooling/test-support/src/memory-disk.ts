/** A file system in memory, on Linux: on a disk, tests that create and remove thousands of files wait for the disk's bookkeeping. */
import { readFileSync, statfsSync } from "node:fs";

const MEMORY_DISK = "/dev/shm";
/** Far more than the tests of one run have there at a time; containers often have 64 MiB in all. */
const NEEDED_BYTES = 2 ** 30;

/** Its folder, where there is room and programs may run from it. */
export function memoryDisk(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_DISK);
    const isUsable = bavail * bsize > NEEDED_BYTES && !/ \/dev\/shm \S+ \S*noexec/.test(readFileSync("/proc/mounts", "utf8"));
    return isUsable ? MEMORY_DISK : undefined;
  } catch {
    return undefined; // no such file system
  }
}
