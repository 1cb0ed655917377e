// The content of a held file into a new one: shared or copied by the system where that is possible without giving up hold, progress
// or cancellation, in blocks otherwise. The source must stand still meanwhile.
import { constants, copyFile, fstatSync } from "node:fs";
import { promisify } from "node:util";
import { copyBlocks } from "./block-copy.ts";
import type { FileHandle } from "../access/area.ts";
import { DiskError } from "../errors.ts";

/** The system copies files up to this size in one step, which nobody can stop or watch; larger ones only by sharing their blocks. */
const ONE_STEP_BYTES = 4 * 1024 * 1024;

const copyBySystem = promisify(copyFile);

export interface Watching {
  readonly signal: AbortSignal | undefined;
  /** Bytes that were copied since the last call. */
  copied(bytes: number): void;
}

/** Copies everything into the empty file `fd`; gives the number of bytes. */
export async function copyContent(source: FileHandle, fd: number, watching: Watching): Promise<number> {
  const size = Number(source.stat.size);
  watching.signal?.throwIfAborted();
  if (await inOneStep(source, fd, size)) watching.copied(size);
  else await copyBlocks(source.fd, fd, source.stat, watching.signal, (bytes) => watching.copied(bytes));
  const now = fstatSync(source.fd, { bigint: true });
  if (now.size !== source.stat.size || now.mtimeNs !== source.stat.mtimeNs) {
    throw new DiskError("conflict", "The source changed while it was being copied; nothing was copied.");
  }
  return size;
}

// By the numbers of the open files, so that it is these two whatever becomes of their names. The system would also copy
// set-user-id bits, for a moment.
async function inOneStep(source: FileHandle, fd: number, size: number): Promise<boolean> {
  if (process.platform !== "linux" || (source.stat.mode & 0o7000n) !== 0n) return false;
  const { mode } = fstatSync(fd);
  const how = size <= ONE_STEP_BYTES ? constants.COPYFILE_FICLONE : constants.COPYFILE_FICLONE_FORCE;
  try {
    await copyBySystem(`/proc/self/fd/${source.fd}`, `/proc/self/fd/${fd}`, how);
    const { fchmodSync } = process.getBuiltinModule("node:fs");
    fchmodSync(fd, mode & 0o777);
    return true;
  } catch {
    return false; // no shared blocks here, or no /proc: then in blocks
  }
}
