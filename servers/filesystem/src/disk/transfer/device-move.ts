// Moves from one file system to another: the source is copied, synced to the disk and checked, and then removed.
import { clip, retryWhileInUse } from "@oarlock/domain-kit";
import { mkdirSync, unlinkSync, type BigIntStats } from "node:fs";
import { basename } from "node:path";
import type { Entry, FolderHandle } from "../access/sandbox.ts";
import { lookAt } from "../access/entry-stat.ts";
import { AttributeTakeover } from "../attributes/attribute-takeover.ts";
import { TreeAttributes } from "../attributes/tree-attributes.ts";
import { DiskError, fromSystem } from "../errors.ts";
import { mountPointError, mountPoints } from "../rights/mount-point.ts";
import { changeError, mustBeRemovable } from "../rights/write-access.ts";
import { replace, syncFolder } from "../write/atomic-replace.ts";
import { diskCalls, type DiskCalls } from "../write/disk-calls.ts";
import type { Lock } from "../write/name-lock.ts";
import { CopiedMetadata } from "./copied-metadata.ts";
import { copyEntries, copyFill, setMode, setModes } from "./device-copy.ts";
import { LeftBehindError } from "./left-behind.ts";
import { putLink } from "./link-copy.ts";
import { renameFolder, renameOverEntry } from "./rename.ts";
import { removeFolder } from "./tree-removal.ts";
import { lookThrough } from "./tree-scan.ts";

interface DeviceMove {
  readonly source: Entry;
  readonly target: Entry;
  readonly stat: BigIntStats;
  readonly old: BigIntStats | undefined;
  readonly lock: Lock;
  readonly signal: AbortSignal | undefined;
  /** A file that cannot be replaced may be written in place. */
  readonly mayWriteInPlace?: boolean;
}

/** Returns what the copy has not got from the source: a sentence. Nothing is copied where the source may not be removed afterwards. */
export async function moveAcrossDevices(move: DeviceMove, calls: DiskCalls = diskCalls): Promise<string | undefined> {
  const { source, target, stat, old, lock, signal } = move;
  const mounts = mountPoints();
  if (mounts.has(source.path)) throw mountPointError(source.path);
  mustBeRemovable(source.parent, source.name, stat);
  if (stat.isDirectory()) return moveFolder(move, mounts, calls);
  const copied = new CopiedMetadata();
  copied.note(source.path, stat);
  const attributes = stat.isFile() ? new AttributeTakeover(source, stat, target.parent) : undefined;
  if (stat.isSymbolicLink()) {
    await putLink(source, target, old === undefined ? undefined : lock, calls);
  } else {
    const { mayWriteInPlace } = move;
    const over = mayWriteInPlace === true && old?.isFile() === true ? old : undefined;
    const how = { old: over, attributes, source: stat, isMove: true, mustBeNew: old === undefined, mayWriteInPlace, calls, signal };
    await replace(target, lock, copyFill(source.parent, source.name, stat, signal), how, () => undefined);
  }
  copied.mustBe(source.path, lookAt(source));
  try {
    await retryWhileInUse(() => unlinkSync(source.parent.at(source.name)), calls.platform);
  } catch (error) {
    throw new LeftBehindError(changeError(error, source.path, source.parent));
  }
  return attributes?.loss;
}

/** Throws unless each entry below the directory may be removed. */
async function mustBeEmptiable(folder: FolderHandle, mounts: ReadonlySet<string>, signal: AbortSignal | undefined): Promise<void> {
  let checked: FolderHandle | undefined;
  const look = ({ path, stat }: { path: string; stat: BigIntStats }, within: FolderHandle): boolean => {
    if (mounts.has(path)) throw mountPointError(path);
    if (within !== checked || (within.stat.mode & 0o1000n) !== 0n) mustBeRemovable(within, basename(path), stat);
    checked = within;
    return true;
  };
  await lookThrough(folder, look, signal);
}

async function moveFolder(move: DeviceMove, mounts: ReadonlySet<string>, calls: DiskCalls): Promise<string | undefined> {
  const { source, target, stat, lock, signal, old } = move;
  using from = source.parent.child(source.name);
  if (from === undefined)
    throw new DiskError("conflict", `Directory changed: another program changed ${clip(source.name)} in the meantime. Try again.`);
  await mustBeEmptiable(from, mounts, signal);
  const copied = new CopiedMetadata();
  const attributes = await TreeAttributes.of(from, target.parent, { isMove: true });
  mkdirSync(target.parent.at(lock.temp), { mode: 0o700 });
  try {
    using copy = target.parent.child(lock.temp);
    if (copy === undefined)
      throw new DiskError("conflict", `Copy changed: another program changed ${clip(target.name)} in the meantime. Try again.`);
    await copyEntries(from, copy, { copied, attributes, calls, signal });
    setModes(from, copy, attributes, calls.platform);
    setMode(copy, stat, attributes, calls.platform);
    signal?.throwIfAborted();
    if (old === undefined) await renameFolder(target.parent.at(lock.temp), target.parent.at(target.name), calls);
    else await renameOverEntry(target.parent.at(lock.temp), target, calls);
  } catch (error) {
    await removeFolder(target.parent, lock.temp);
    throw error;
  }
  await syncFolder(target.parent);
  try {
    await removeFolder(source.parent, source.name, (path, now) => copied.mustBe(path, now));
  } catch (error) {
    // An entry was added at the last moment.
    const why = error instanceof DiskError && error.code === "exists" ? copied.changed(source.path) : fromSystem(error, source.path);
    throw new LeftBehindError(why);
  }
  return attributes.loss;
}
