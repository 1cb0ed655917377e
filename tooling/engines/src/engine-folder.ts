// engineFolder: where an engine of the tests keeps its data and output.
import { chownSync, mkdtempSync, readFileSync, realpathSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file system in memory, on Linux. PostgreSQL makes dozens of files for each schema: here for half of its whole processor time. */
const MEMORY_DISK = "/dev/shm";
/** Far more than an engine of the tests writes; containers often have 64 MiB there. */
const NEEDED_BYTES = 2 ** 30;

/** Creates a temporary folder, owned by `user`, in memory where there is room. */
export function engineFolder(user?: number): string {
  const path = realpathSync(mkdtempSync(join(isUsable() ? MEMORY_DISK : tmpdir(), "oarlock-engine-")));
  if (user !== undefined) chownSync(path, user, user);
  return path;
}

/** Programs run from the folder too, where `user` cannot read the package that has them. */
function isUsable(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_DISK);
    return bavail * bsize > NEEDED_BYTES && !/ \/dev\/shm \S+ \S*noexec/.test(readFileSync("/proc/mounts", "utf8"));
  } catch {
    return false; // no such file system
  }
}
