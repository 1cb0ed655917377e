// Copies the content of an open file into a new one: by the system (shared blocks, or one step) where that keeps handles, progress and
// cancellation, and in blocks otherwise.
import { constants, copyFile, fstatSync } from "node:fs";
import { promisify } from "node:util";
import { platform } from "../../platform.ts";
import { copyBlocks } from "./block-copy.ts";
import type { FileHandle } from "../access/sandbox.ts";
import { DiskError } from "../errors.ts";

/** The system copies files up to this size in one step, which cannot be cancelled; larger files only by sharing blocks. */
const ONE_STEP_BYTES = 4 * 1024 * 1024;

const copyBySystem = promisify(copyFile);

export interface Watching {
  readonly signal: AbortSignal | undefined;
  /** The new file is in a directory that only this user may enter. */
  readonly isHidden?: boolean;
  /** Called with the bytes that were copied since the last call. */
  copied(bytes: number): void;
}

/** Copies all bytes into the empty file `fd`, and returns their number. Throws when the source changes meanwhile. */
export async function copyContent(source: FileHandle, fd: number, watching: Watching): Promise<number> {
  const size = Number(source.stat.size);
  watching.signal?.throwIfAborted();
  if (await inOneStep(source, fd, size, watching.isHidden === true)) watching.copied(size);
  else await copyBlocks(source.fd, fd, source.stat, watching.signal, (bytes) => watching.copied(bytes));
  const now = fstatSync(source.fd, { bigint: true });
  if (now.size !== source.stat.size || now.mtimeNs !== source.stat.mtimeNs) {
    throw new DiskError("conflict", "Source changed while it was being copied; nothing was copied. Try again.");
  }
  return size;
}

// By the handles of the open files, whatever becomes of their names. The system would also copy set-user-id bits, so files that have
// them are copied in blocks; so are those that have more rights than the new file may have, because for a moment it would have them too.
async function inOneStep(source: FileHandle, fd: number, size: number, isHidden: boolean): Promise<boolean> {
  if (platform !== "linux" || (source.stat.mode & 0o7000n) !== 0n) return false;
  const { mode, uid, gid } = fstatSync(fd);
  if (!isHidden && (Number(source.stat.mode) & 0o777) !== (mode & 0o777)) return false;
  const how = size <= ONE_STEP_BYTES ? constants.COPYFILE_FICLONE : constants.COPYFILE_FICLONE_FORCE;
  try {
    await copyBySystem(`/proc/self/fd/${source.fd}`, `/proc/self/fd/${fd}`, how);
    const { fchmodSync, fchownSync } = process.getBuiltinModule("node:fs");
    const now = fstatSync(fd);
    // For root the system copies the owner too.
    if (now.uid !== uid || now.gid !== gid) fchownSync(fd, uid, gid);
    fchmodSync(fd, mode & 0o777);
    return true;
  } catch {
    return false; // no shared blocks here, or no /proc: then in blocks
  }
}
