// Moves and renames. Without `overwrite` the new name is taken in a way that fails when the name exists, so there is no moment in
// which another program's file could be lost. A link is moved as a link.
import { clip, systemErrorCode } from "@oarlock/domain-kit";
import { readdirSync, type BigIntStats } from "node:fs";
import type { Sandbox, Entry } from "../access/sandbox.ts";
import { lookAt } from "../access/entry-stat.ts";
import { checkLinkStaysInside } from "../access/link-target.ts";
import { isInside, joinPath } from "../access/path-syntax.ts";
import { DiskError, alreadyExists, alreadyThere, intoAdvice } from "../errors.ts";
import { mountPointError, mountPoints } from "../rights/mount-point.ts";
import { changeError, isNameFixed, isWriteProtected, mustBeRemovable, PROTECTED_NOTICE } from "../rights/write-access.ts";
import { withTrash, type TrashWriter } from "../trash/trash-writer.ts";
import { syncFolder } from "../write/atomic-replace.ts";
import { withNewParents } from "../write/directory-maker.ts";
import type { DiskCalls } from "../write/disk-calls.ts";
import { withBothLocks, type Lock } from "../write/name-lock.ts";
import { heldFolder } from "./device-copy.ts";
import { moveAcrossDevices } from "./device-move.ts";
import { isSameEntry, isSameObject, isWithin } from "./place-identity.ts";
import { isOneName, rename } from "./rename.ts";
import { checkSource } from "./source-check.ts";
import { lookThrough } from "./tree-scan.ts";

/** A directory with a longer list of names is not read to find out whether it is empty. */
const MAX_LIST_BYTES = 1024n * 1024n;

export interface MoveOptions {
  /** Replace an existing file or empty directory. Default false. */
  readonly overwrite?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Keeps a file that is overwritten. */
  readonly trash?: TrashWriter | undefined;
  readonly calls?: DiskCalls;
}

export interface Moved {
  /** The directory right above the destination, as the caller spells it, where it was created. */
  readonly newParent?: string | undefined;
  readonly from: string;
  readonly to: string;
  readonly overwritten: boolean;
  /** Brings back the overwritten file. */
  readonly undo: string | undefined;
  /** What the caller may not expect, such as what a copy on another file system has not got from the source: sentences. */
  readonly loss: string | undefined;
}

/** A checked move. */
interface Move {
  readonly source: Entry;
  readonly target: Entry;
  readonly stat: BigIntStats;
  /** What the destination is now; the source itself, where only its spelling changes. */
  readonly old: BigIntStats | undefined;
  /** The lock on the destination. */
  readonly lock: Lock;
  readonly signal: AbortSignal | undefined;
  /** A file that cannot be replaced may be written in place. */
  readonly mayWriteInPlace?: boolean;
}

/** Missing directories above the destination are made. */
export async function move(sandbox: Sandbox, from: string, to: string, options: MoveOptions = {}): Promise<Moved> {
  const { result, newParent } = await withNewParents(sandbox, to, () => moveTo(sandbox, from, to, options));
  return { ...result, newParent };
}

async function moveTo(sandbox: Sandbox, from: string, to: string, options: MoveOptions): Promise<Moved> {
  using source = sandbox.entry(from);
  using target = destination(source, sandbox.entry(to));
  sandbox.mustBeWritable(source.path);
  sandbox.mustBeWritable(target.path);
  const moveLocked = async (_: Lock, lock: Lock): Promise<Moved> => {
    const { stat, there, old } = await check(sandbox, source, target, {
      from,
      to,
      overwrite: options.overwrite === true,
      signal: options.signal,
    });
    try {
      const isProtected = isWriteProtected(target, old);
      const put = () => renameOrCopy({ source, target, stat, old: there, lock, signal: options.signal }, options.calls);
      const { result: loss, undo } = await withTrash(options.trash, target, old, put);
      await syncFolder(target.parent);
      await syncFolder(source.parent);
      const remarks = [...(isProtected ? [PROTECTED_NOTICE] : []), ...(loss === undefined ? [] : [loss])].join(" ");
      return { from: source.path, to: target.path, overwritten: old !== undefined, undo, loss: remarks === "" ? undefined : remarks };
    } catch (error) {
      if (systemErrorCode(error) === "EEXIST" || systemErrorCode(error) === "ENOTEMPTY") throw alreadyExists(to);
      throw moveError(error, source, target, to);
    }
  };
  return await withBothLocks(source, target, moveLocked, options.signal);
}

/** Names what is the cause: a mount point, a directory whose entries may not be changed, or otherwise the destination. */
function moveError(error: unknown, source: Entry, target: Entry, to: string): DiskError {
  const mounts = systemErrorCode(error) === "EBUSY" ? mountPoints() : new Set();
  const mounted = [source, target].find(({ path }) => mounts.has(path));
  if (mounted !== undefined) return mountPointError(mounted.path);
  // A directory that gets another parent is changed itself.
  using moved = isSameObject(source.parent.stat, target.parent.stat) ? undefined : source.parent.child(source.name);
  return changeError(error, to, source.parent, target.parent, moved);
}

/** Throws where even an overwriting move would fail, so that the user is not asked in vain. */
export async function checkMove(sandbox: Sandbox, from: string, to: string, signal?: AbortSignal): Promise<void> {
  using source = sandbox.entry(from);
  using target = destination(source, sandbox.entry(to));
  sandbox.mustBeWritable(source.path);
  sandbox.mustBeWritable(target.path);
  await check(sandbox, source, target, { from, to, overwrite: true, signal });
}

interface Wanted {
  readonly from: string;
  readonly to: string;
  readonly overwrite: boolean;
  readonly signal: AbortSignal | undefined;
}

async function check(sandbox: Sandbox, source: Entry, target: Entry, { from, to, overwrite, signal }: Wanted) {
  const stat = checkSource(sandbox, source, target, { from, to });
  mustBeRemovable(source.parent, source.name, stat);
  const isFolder = stat.isDirectory();
  const there = lookAt(target);
  if (there?.isSymbolicLink() === true) checkLinkStaysInside(sandbox, to);
  if (isSameEntry(source, target)) throw alreadyThere(to);
  const isRespelled = isSameObject(stat, there) && isOneName(stat, source, target);
  const old = isRespelled ? undefined : there;
  if (isFolder && !isRespelled && (isInside(target.path, source.path) || isWithin(target.parent, stat)))
    throw new DiskError("invalid", `A directory cannot be moved into itself: ${clip(to)}`);
  if (old !== undefined && (!overwrite || old.isDirectory() !== isFolder)) throw alreadyExists(to);
  if (isFolder && old !== undefined && !isSameObject(stat, old) && isNotEmpty(target))
    throw new DiskError(
      "exists",
      `Destination already exists and is a directory that is not empty: ${clip(to)}. ${intoAdvice(to, source.name)}`,
    );
  if (isFolder) await checkTree(sandbox, source, from, signal);
  return { stat, there, old };
}

/** A new spelling of the source's own name, such as other capitals, is what the caller wants; every other entry has its stored name. */
function destination(source: Entry, found: Entry): Entry {
  if (!isSameEntry(source, found) || found.spelling === source.name) return found;
  return { ...found, name: found.spelling, path: joinPath(found.parent.path, found.spelling) };
}

/** The rule of deleting: what may not be deleted below a directory may not change its place with it either. */
async function checkTree(sandbox: Sandbox, source: Entry, from: string, signal: AbortSignal | undefined): Promise<void> {
  using folder = heldFolder(source.parent, source.name);
  const look = ({ path }: { path: string }): true => {
    // At the new place the globs of --deny might not hide it any more.
    if (!sandbox.shows(path)) throw new DiskError("denied", `Directory cannot be moved: a part of it is hidden by --deny: ${clip(from)}`);
    sandbox.mustBeWritableBelow(path);
    return true;
  };
  await lookThrough(folder, look, signal);
}

/** Where the directory cannot be read, or has a long list of names, the rename itself finds out. */
function isNotEmpty({ parent, name }: Entry): boolean {
  try {
    using folder = parent.child(name);
    return folder !== undefined && folder.stat.size < MAX_LIST_BYTES && readdirSync(folder.self).length > 0;
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return false;
  }
}

/** Renames, or copies and removes where the two lie on different file systems. Returns what the copy has not got: a sentence. */
export async function renameOrCopy(checked: Move, calls?: DiskCalls): Promise<string | undefined> {
  try {
    await rename(checked, calls);
    return undefined;
  } catch (error) {
    // A copy onto itself, by another mount, would end with the removal of both.
    const isCopied = systemErrorCode(error) === "EXDEV" || (checked.mayWriteInPlace === true && isNameFixed(error));
    if (!isCopied || isSameObject(checked.stat, checked.old)) throw error;
    return await moveAcrossDevices(checked, calls);
  }
}
