// Writing in place: for a file whose name cannot be replaced, because its directory is write-protected or the file is a mount point, as in
// containers. It is not atomic, so the old content is held meanwhile and written back when the new one cannot be written.
import { closeSync, constants, fchmodSync, fstatSync, fsync, ftruncateSync, openSync, type BigIntStats } from "node:fs";
import { promisify } from "node:util";
import { clip } from "@oarlock/domain-kit";
import { joinPath } from "../access/path-syntax.ts";
import { DiskError, fromSystem } from "../errors.ts";
import { readNow } from "../read/byte-reader.ts";
import type { Entry } from "../access/sandbox.ts";
import { writeAt } from "../write/file-bytes.ts";
import type { Fill, Replacement } from "../write/replacement.ts";

/** A larger file is not held in memory, so it is not written in place. */
const MAX_BYTES = 32 * 1024 * 1024;
const SET_ID_BITS = 0o6000n;
const NOTICE = "The file was written in place, which is not atomic, because the system does not let its name be replaced.";

type Place = Pick<Entry, "parent" | "name">;

const sync = promisify(fsync);

/** Writes the content of a file anew, and keeps owner, mode and attributes. `why`: the error of its replacement. */
export async function writeInPlace<T>(place: Place, fill: Fill, how: Replacement, last: (fd: number) => T, why: DiskError): Promise<T> {
  const path = joinPath(place.parent.path, place.name);
  const fd = openInPlace(place, why);
  try {
    const before = fstatSync(fd, { bigint: true });
    check(before, how, path, why);
    const content = readNow(fd, 0, Number(before.size));
    how.signal?.throwIfAborted();
    try {
      ftruncateSync(fd, 0);
      const length = await fill(fd);
      if (fstatSync(fd).size !== length) throw new DiskError("io", `Write incomplete: not all bytes reached the disk: ${clip(path)}`);
      await sync(fd);
    } catch (error) {
      await putBack(fd, content, path);
      throw fromSystem(error, path);
    }
    if ((before.mode & SET_ID_BITS) !== 0n) dropSetIdBits(fd, before);
    how.attributes?.keepAll(NOTICE);
    return last(fd);
  } finally {
    closeSync(fd);
  }
}

/** Throws the error of the replacement, which names the cause, where this way is closed too. */
function openInPlace({ parent, name }: Place, why: DiskError): number {
  try {
    return openSync(parent.at(name), constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    throw why;
  }
}

function check(now: BigIntStats, { old, mustBeOld }: Replacement, path: string, why: DiskError): void {
  const isSame = now.isFile() && now.ino === old?.ino && now.dev === old.dev;
  if (!isSame || (mustBeOld === true && (now.size !== old.size || now.ctimeNs !== old.ctimeNs)))
    throw new DiskError("conflict", `File changed: another program wrote it in the meantime. Read it again: ${clip(path)}`);
  if (now.nlink > 1n)
    throw new DiskError(
      why.code,
      `${why.message} It was not written in place, because it has other names (hard links), which would change too.`,
    );
  if (now.size > MAX_BYTES) throw new DiskError(why.code, `${why.message} A file over 32 MiB is not written in place.`);
}

async function putBack(fd: number, content: Buffer, path: string): Promise<void> {
  try {
    await writeAt(fd, content, 0);
    ftruncateSync(fd, content.length);
    await sync(fd);
  } catch (error) {
    throw new DiskError(
      "io",
      `File damaged: neither its new nor its old content could be written: ${clip(path)}. ${fromSystem(error, path).message}`,
    );
  }
}

function dropSetIdBits(fd: number, { mode }: BigIntStats): void {
  try {
    fchmodSync(fd, Number(mode) & 0o777);
  } catch {
    // Another user's file: the system has dropped them with the first written byte.
  }
}
