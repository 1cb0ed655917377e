// Opens a file of the work tree. It is opened once, and all checks use the open file, so the checked file is the one that is used.
import { closeSync, fstatSync, readFileSync, readlinkSync, type BigIntStats } from "node:fs";
import { canUseLinuxHandles, ReplacedError, systemErrorCode } from "@oarlock/domain-kit";
import type { WithPaths } from "../process/repository-paths.ts";
import { nameFromText } from "../text/file-names.ts";
import { exactEntryAt, openPlain } from "./file-entry.ts";
import { absolutePath } from "./path-resolver.ts";
import { crossesSymlink } from "./symlink-checks.ts";

/** Undefined where there is no plain file, where it may not be read, and at a link. Throws a {@link ReplacedError} where a folder of the path is a link. */
export function readWorkTreeFile(repository: WithPaths, path: string, maxBytes: number): Buffer | "too-large" | undefined {
  return withPlainFile(repository, path, (file, { size }) => (size > maxBytes ? "too-large" : readFileSync(file)));
}

/** Works on the open file at a path, under the same conditions. */
export function withPlainFile<T>(repository: WithPaths, path: string, work: (file: number, stat: BigIntStats) => T): T | undefined {
  const full = absolutePath(repository, nameFromText(path));
  const file = tryOpen(full);
  if (file === undefined) return undefined;
  try {
    const stat = fstatSync(file, { bigint: true });
    if (!stat.isFile()) return undefined;
    if (!isAt(file, stat, full) || (!canUseLinuxHandles() && crossesSymlink(repository, path))) throw new ReplacedError();
    return work(file, stat);
  } finally {
    closeSync(file);
  }
}

function tryOpen(path: Buffer): number | undefined {
  try {
    return openPlain(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP", "ENXIO", "EACCES"].includes(systemErrorCode(error) ?? "")) return undefined;
    throw error;
  }
}

/** Whether an open file is the one with this path. Only Linux says where it is, whatever has been swapped since. */
function isAt(file: number, { dev, ino }: BigIntStats, path: Buffer): boolean {
  if (canUseLinuxHandles()) return readlinkSync(`/proc/self/fd/${file}`, { encoding: "buffer" }).equals(path);
  const entry = exactEntryAt(path);
  return entry?.dev === dev && entry.ino === ino;
}
