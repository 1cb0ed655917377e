// Atomic replacement: a new file with a random name beside the old one is written and synced to the disk, and then renamed in one step.
// The old file itself is never written, so a link is not followed and other names of the old file keep their content.
import { closeSync, constants, fchmodSync, fstatSync, fsync, lstatSync, openSync, unlinkSync, type BigIntStats } from "node:fs";
import { promisify } from "node:util";
import { clip, createNewFile, randomName, retryWhileInUse, systemErrorCode, takeFreeName } from "@oarlock/domain-kit";
import type { FolderHandle } from "../access/sandbox.ts";
import { changeEntries } from "../attributes/attribute-memory.ts";
import { withoutGroup } from "../attributes/attribute-takeover.ts";
import { DiskError } from "../errors.ts";
import { writeInPlace } from "../rights/in-place.ts";
import { adoptOwner } from "../rights/owner.ts";
import { changeError, isNameFixed, writeRefusal } from "../rights/write-access.ts";
import { renameOverEntry } from "../transfer/rename.ts";
import { isWindows } from "../../platform.ts";
import { diskCalls, type DiskCalls } from "./disk-calls.ts";
import type { Lock, Place } from "./name-lock.ts";
import type { Fill, Replacement } from "./replacement.ts";

const sync = promisify(fsync);

/**
 * Writes a new file, syncs it to the disk and gives it the name. Returns what `last` computes from the new file before it is closed. Throws for
 * an old file that this user may not write.
 */
export async function replace<T>(place: Place, lock: Lock, fill: Fill, how: Replacement, last: (fd: number) => T): Promise<T> {
  const refusal = how.old && writeRefusal(place, how.old);
  if (refusal !== undefined) throw refusal;
  try {
    return await replaceByRename(place, lock, fill, how, last);
  } catch (error) {
    const why = changeError(error, place.name, place.parent);
    if (how.old === undefined || how.mayWriteInPlace !== true || !isNameFixed(error)) throw why;
    return await writeInPlace(place, fill, how, last, why);
  }
}

async function replaceByRename<T>(place: Place, lock: Lock, fill: Fill, how: Replacement, last: (fd: number) => T): Promise<T> {
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
    throw error;
  } finally {
    closeSync(fd);
  }
}

// The mode is never wider than that of the old file, not even for a moment: until the owner is set, the file belongs to another group.
// Set-user-id bits are dropped.
function create({ parent }: Place, lock: Lock, how: Replacement): { fd: number; temp: string } {
  const kept = modeOf(how);
  let temp = lock.temp;
  for (let tries = 0; ; tries += 1) {
    try {
      const mode = kept === undefined ? 0o666 : kept & 0o700;
      return { fd: changeEntries(parent, () => createNewFile(parent.at(temp), mode)), temp };
    } catch (error) {
      if (systemErrorCode(error) !== "EEXIST" || tries === 3) throw error;
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
  const former = source === undefined || how.isMove === true ? (source ?? old) : undefined;
  const { isGroupKept, loss } =
    former === undefined ? { isGroupKept: fstatSync(fd, { bigint: true }).gid === source?.gid, loss: undefined } : adoptOwner(fd, former);
  attributes?.lose(loss);
  // The bits of the old group are not for the group of this user; it may do what everybody may.
  const wanted = isGroupKept ? mode : withoutGroup(mode);
  const kept = attributes === undefined ? wanted : await attributes.apply(fd, wanted, isGroupKept);
  if ((fstatSync(fd).mode & 0o7777) !== kept) fchmodSync(fd, kept);
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
