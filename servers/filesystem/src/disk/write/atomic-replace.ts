// Atomic replacement: a new file with a random name beside the old one is written and synced to the disk, and then renamed in one step.
// The old file itself is never written, so a link is not followed and other names of the old file keep their content.
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  lstatSync,
  openSync,
  unlinkSync,
  write,
  writeSync,
  type BigIntStats,
} from "node:fs";
import { promisify } from "node:util";
import { clip, createNewFile, randomName, retryWhileInUse, systemErrorCode, takeFreeName } from "@oarlock/domain-kit";
import type { FolderHandle } from "../access/sandbox.ts";
import { changeEntries } from "../attributes/attribute-memory.ts";
import { withoutGroup, type AttributeTakeover } from "../attributes/attribute-takeover.ts";
import { DiskError, fromSystem } from "../errors.ts";
import { renameOverEntry } from "../transfer/rename.ts";
import { isWindows } from "../../platform.ts";
import { diskCalls, type DiskCalls } from "./disk-calls.ts";
import type { Lock, Place } from "./name-lock.ts";

const sync = promisify(fsync);

export interface Replacement {
  /** The file that the name leads to now; its mode and owner are kept. Undefined for a new file. */
  readonly old: BigIntStats | undefined;
  /** The file of which the new one is a copy: it gets its mode, not that of the old file. */
  readonly source?: BigIntStats;
  /** What the new file takes over beside mode and owner. */
  readonly attributes?: AttributeTakeover | undefined;
  /** Throw if the name exists, even if it was free a moment ago. */
  readonly mustBeNew?: boolean;
  /** Throw unless the name still leads to `old`, unchanged. */
  readonly mustBeOld?: boolean;
  readonly calls?: DiskCalls | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Writes the new file. Returns the number of bytes that it must have. */
export type Fill = (fd: number) => Promise<number>;

/** Writes a new file, syncs it to the disk and gives it the name. Returns what `last` computes from the new file before it is closed. */
export async function replace<T>(place: Place, lock: Lock, fill: Fill, how: Replacement, last: (fd: number) => T): Promise<T> {
  const { parent } = place;
  await how.attributes?.look();
  const { fd, temp } = create(place, lock, how);
  let named = false;
  try {
    await adopt(fd, how);
    const length = await fill(fd);
    if (fstatSync(fd).size !== length) throw new DiskError("io", `Write incomplete: not all bytes reached the disk: ${clip(place.name)}`);
    await sync(fd);
    how.signal?.throwIfAborted();
    await takeName(place, temp, how);
    named = true;
    how.attributes?.done(fstatSync(fd, { bigint: true }));
    // `last` runs while the system syncs the directory.
    const synced = syncFolder(parent);
    try {
      return last(fd);
    } finally {
      await synced;
    }
  } catch (error) {
    if (!named) remove(parent, temp);
    throw fromSystem(error, place.name);
  } finally {
    closeSync(fd);
  }
}

// The mode is never wider than that of the old file, not even for a moment: until the owner is set, the file belongs to another group.
// Set-user-id bits are dropped.
function create({ parent, name }: Place, lock: Lock, how: Replacement): { fd: number; temp: string } {
  const kept = modeOf(how);
  let temp = lock.temp;
  for (let tries = 0; ; tries += 1) {
    try {
      const mode = kept === undefined ? 0o666 : kept & 0o700;
      return { fd: changeEntries(parent, () => createNewFile(parent.at(temp), mode)), temp };
    } catch (error) {
      if (systemErrorCode(error) !== "EEXIST" || tries === 3) throw fromSystem(error, name);
      temp = `.oarlock-${randomName()}.tmp`;
    }
  }
}

function modeOf({ old, source = old }: Replacement): number | undefined {
  return source === undefined ? undefined : Number(source.mode) & 0o777;
}

async function adopt(fd: number, how: Replacement): Promise<void> {
  const { old, source, attributes } = how;
  const mode = modeOf(how);
  if (mode === undefined || isWindows) return;
  const isGroupKept = source === undefined ? old === undefined || adoptOwner(fd, old) : fstatSync(fd, { bigint: true }).gid === source.gid;
  // The bits of the old group are not for the group of this user; it may do what everybody may.
  const wanted = isGroupKept ? mode : withoutGroup(mode);
  const kept = attributes === undefined ? wanted : await attributes.apply(fd, wanted, isGroupKept);
  if ((fstatSync(fd).mode & 0o7777) !== kept) fchmodSync(fd, kept);
}

/** Only root can give a file away, and others only to a group of their own: otherwise it belongs to this user. Returns whether the group is kept. */
function adoptOwner(fd: number, old: BigIntStats): boolean {
  const now = fstatSync(fd, { bigint: true });
  if (now.uid !== old.uid && isChanged(fd, old.uid, old.gid)) return true;
  return now.gid === old.gid || isChanged(fd, now.uid, old.gid);
}

function isChanged(fd: number, uid: bigint, gid: bigint): boolean {
  try {
    fchownSync(fd, Number(uid), Number(gid));
    return true;
  } catch {
    return false;
  }
}

function checkUnchanged({ parent, name }: Place, old: BigIntStats | undefined): void {
  const now = lstatSync(parent.at(name), { bigint: true, throwIfNoEntry: false });
  const same =
    now !== undefined &&
    old !== undefined &&
    now.ino === old.ino &&
    now.dev === old.dev &&
    now.size === old.size &&
    now.ctimeNs === old.ctimeNs;
  if (!same) throw new DiskError("conflict", `File changed: another program wrote it in the meantime. Read it again: ${clip(name)}`);
}

/** The new file gets its name: one that must be free, or that of the old file. */
async function takeName(place: Place, temp: string, { old, mustBeNew, mustBeOld, calls = diskCalls }: Replacement): Promise<void> {
  const { parent, name } = place;
  const from = parent.at(temp);
  const noted: DiskCalls = {
    ...calls,
    rename: (path, to) => changeEntries(parent, () => calls.rename(path, to)),
    link: (path, to) => changeEntries(parent, () => calls.link(path, to)),
  };
  const check = (): void => {
    if (mustBeOld === true) checkUnchanged(place, old);
  };
  if (mustBeNew !== true) return await renameOverEntry(from, place, noted, check);
  // Where it is linked, the new name leads to the file by now, and the temporary one is removed.
  if ((await takeFreeName(from, parent.at(name), noted)) === "linked")
    await retryWhileInUse(() => changeEntries(parent, () => unlinkSync(from)), calls.platform);
}

function remove(parent: FolderHandle, name: string): void {
  try {
    unlinkSync(parent.at(name));
  } catch {
    // Removed already, or the directory is not writable any more.
  }
}

/** Syncs the names in a directory to the disk. */
export async function syncFolder(folder: FolderHandle): Promise<void> {
  if (isWindows) return; // directories cannot be opened there, and need not
  let fd: number;
  try {
    fd = openSync(folder.self, constants.O_RDONLY | constants.O_DIRECTORY);
  } catch {
    return; // a directory that may be written but not read
  }
  try {
    await sync(fd);
  } catch (error) {
    // Some file systems cannot sync a directory.
    if (systemErrorCode(error) !== "EINVAL" && systemErrorCode(error) !== "ENOTSUP") throw error;
  } finally {
    closeSync(fd);
  }
}

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
