// Copies files and directories. A copy is completed under a temporary name and then renamed in one step, so a cancelled or failed copy
// leaves nothing. Links are copied as links; entries that --deny hides are left out.
import { closeSync, fchmodSync, fstatSync, lstatSync, mkdirSync, readdirSync, type BigIntStats } from "node:fs";
import { clip, createNewFile, systemErrorCode } from "@oarlock/domain-kit";
import { copyContent, type Watching } from "./file-copy.ts";
import { heldFolder, setMode, setModes } from "./device-copy.ts";
import type { Sandbox, Entry, FolderHandle } from "../access/sandbox.ts";
import { AttributeTakeover } from "../attributes/attribute-takeover.ts";
import { TreeAttributes } from "../attributes/tree-attributes.ts";
import { DiskError, alreadyExists, alreadyThere } from "../errors.ts";
import { changeError } from "../rights/write-access.ts";
import { withNewParents } from "../write/directory-maker.ts";
import { diskCalls, type DiskCalls } from "../write/disk-calls.ts";
import { withLock, type Lock } from "../write/name-lock.ts";
import { below, lookThrough } from "./tree-scan.ts";
import { checkTreeEntry } from "../access/git-guard.ts";
import { checkLinkStaysInside } from "../access/link-target.ts";
import { withTrash, type TrashWriter } from "../trash/trash-writer.ts";
import { copyLink, putLink } from "./link-copy.ts";
import { renameFolder } from "./rename.ts";
import { isInside, joinPath } from "../access/path-syntax.ts";
import { isSameEntry, isWithin } from "./place-identity.ts";
import { removeFolder } from "./tree-removal.ts";
import { replace, syncFolder } from "../write/atomic-replace.ts";
import { openTarget } from "../write/write-target.ts";
import { lookAt } from "../access/entry-stat.ts";
import { checkSource, special } from "./source-check.ts";

export interface CopyOptions {
  /** Replace an existing file. Default false. */
  readonly overwrite?: boolean | undefined;
  /** Copy directories with all entries below them. Default false: directories are refused. */
  readonly recursive?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the copied bytes and all bytes. */
  readonly progress?: ((done: number, total: number) => void) | undefined;
  /** Keeps a file that is overwritten. */
  readonly trash?: TrashWriter | undefined;
  readonly calls?: DiskCalls;
}

export interface Copied {
  /** The directory right above the destination, as the caller spells it, where it was created. */
  readonly newParent?: string | undefined;
  readonly from: string;
  readonly to: string;
  readonly overwritten: boolean;
  /** The number of created files, directories and links. */
  readonly entries: number;
  readonly bytes: number;
  /** Brings back the overwritten file. */
  readonly undo: string | undefined;
  /** What the copy has not got from the source: a sentence. */
  readonly loss: string | undefined;
}

interface TreeCopy extends Copy {
  readonly attributes: TreeAttributes;
}

interface Copy extends Watching {
  readonly sandbox: Sandbox;
  readonly source: Entry;
  readonly target: Entry;
  readonly lock: Lock;
  readonly calls: DiskCalls;
}

/** Missing directories above the destination are made. */
export async function copy(sandbox: Sandbox, from: string, to: string, options: CopyOptions = {}): Promise<Copied> {
  const { result, newParent } = await withNewParents(sandbox, to, () => copyTo(sandbox, from, to, options));
  return { ...result, newParent };
}

async function copyTo(sandbox: Sandbox, from: string, to: string, options: CopyOptions): Promise<Copied> {
  using source = sandbox.entry(from);
  using target = sandbox.entry(to);
  sandbox.mustBeWritable(target.path);
  return await withLock(
    target,
    async (lock) => {
      const { stat, old } = check(sandbox, source, target, from, to, options);
      const { entries, total } = await sized(sandbox, source, target, stat, options.signal);
      let done = 0;
      // What is written in place is copied twice, if its name could not be replaced at the end.
      const copied = (bytes: number) => options.progress?.((done = Math.min(done + bytes, total)), total);
      try {
        const run = { sandbox, source, target, lock, calls: options.calls ?? diskCalls, signal: options.signal, copied };
        const put = (now: BigIntStats | undefined) => make(run, stat, now);
        const { result: loss, undo } = await withTrash(options.trash, target, old, put);
        return { from: source.path, to: target.path, overwritten: old !== undefined, entries, bytes: total, undo, loss };
      } catch (error) {
        if (systemErrorCode(error) === "EEXIST" || systemErrorCode(error) === "ENOTEMPTY") throw alreadyExists(to);
        throw changeError(error, to, target.parent);
      }
    },
    options.signal,
  );
}

function check(sandbox: Sandbox, source: Entry, target: Entry, from: string, to: string, { recursive, overwrite }: CopyOptions) {
  const stat = checkSource(sandbox, source, target, { from, to });
  const isFolder = stat.isDirectory();
  if (isFolder && recursive !== true)
    throw new DiskError("not-a-file", `This is a directory. Pass recursive: true to copy it with all entries below it: ${clip(from)}`);
  const old = lookAt(target);
  if (old?.isSymbolicLink() === true) checkLinkStaysInside(sandbox, to);
  else if (old !== undefined && !old.isDirectory() && !old.isFile()) throw special(to);
  if (isSameEntry(source, target)) throw alreadyThere(to);
  if (old !== undefined && (overwrite !== true || isFolder || old.isDirectory()))
    throw alreadyExists(to, old.isDirectory() ? source.name : undefined);
  if (isFolder && (isInside(target.path, source.path) || isWithin(target.parent, stat)))
    throw new DiskError("invalid", `A directory cannot be copied into itself: ${clip(to)}`);
  return { stat, old };
}

/** The size of the copy. Throws for entries that cannot be copied, before anything is copied. */
async function sized(sandbox: Sandbox, source: Entry, target: Entry, stat: BigIntStats, signal: AbortSignal | undefined) {
  if (!stat.isDirectory()) return { entries: 1, total: stat.isFile() ? Number(stat.size) : 0 };
  using folder = heldFolder(source.parent, source.name);
  let [entries, total] = [1, 0];
  const look = (found: { path: string; stat: BigIntStats }) => {
    if (!sandbox.shows(found.path)) return false;
    // The name must be writable at the destination too.
    sandbox.mustBeWritableBelow(target.path + found.path.slice(folder.path.length));
    checkTreeEntry(found.path);
    if (found.stat.isFile()) total += Number(found.stat.size);
    else if (!found.stat.isDirectory() && !found.stat.isSymbolicLink()) throw special(found.path);
    entries += 1;
    return true;
  };
  await lookThrough(folder, look, signal);
  return { entries, total };
}

/** `old`: what is overwritten. */
async function make(run: Copy, stat: BigIntStats, old: BigIntStats | undefined): Promise<string | undefined> {
  const { sandbox, source, target, lock, calls, signal } = run;
  if (stat.isDirectory()) return makeFolder(run, stat);
  if (stat.isSymbolicLink()) {
    await putLink(source, target, old === undefined ? undefined : lock, calls);
    await syncFolder(target.parent);
    return undefined;
  }
  const attributes = new AttributeTakeover(source, stat, target.parent);
  // Closed before the name is taken: it may be another name of the same file, and Windows replaces no open one.
  const fill = async (fd: number): Promise<number> => {
    using file = openTarget(sandbox, source, stat, source.path);
    return await copyContent(file, fd, run);
  };
  const over = old?.isFile() === true ? old : undefined;
  const how = { old: over, attributes, source: stat, mustBeNew: old === undefined, mayWriteInPlace: true, calls, signal };
  await replace(target, lock, fill, how, () => undefined);
  return attributes.loss;
}

async function makeFolder(run: Copy, stat: BigIntStats): Promise<string | undefined> {
  const { source, target, lock, calls, signal } = run;
  using from = heldFolder(source.parent, source.name);
  const attributes = await TreeAttributes.of(from, target.parent);
  mkdirSync(target.parent.at(lock.temp), { mode: 0o700 });
  try {
    using copied = heldFolder(target.parent, lock.temp);
    await copyLevel({ ...run, attributes }, from, copied, target.path);
    setModes(from, copied, attributes, calls.platform);
    setMode(copied, stat, attributes, calls.platform);
    signal?.throwIfAborted();
    await renameFolder(target.parent.at(lock.temp), target.parent.at(target.name), calls);
  } catch (error) {
    await removeFolder(target.parent, lock.temp);
    throw error;
  }
  await syncFolder(target.parent);
  return attributes.loss;
}

/** `place`: the path of the copy of this directory. */
async function copyLevel(run: TreeCopy, from: FolderHandle, to: FolderHandle, place: string): Promise<void> {
  for (const name of readdirSync(from.self)) {
    run.signal?.throwIfAborted();
    if (!run.sandbox.shows(below(from, name))) continue;
    run.sandbox.mustBeWritableBelow(joinPath(place, name));
    const stat = lstatSync(from.at(name), { bigint: true, throwIfNoEntry: false });
    if (stat === undefined) throw new DiskError("conflict", `Directory changed while it was being copied: ${clip(name)}. Try again.`);
    if (stat.isSymbolicLink()) copyLink(from.at(name), to.at(name), name, run.calls);
    else if (stat.isFile()) await copyFile(run, from, to, name, stat);
    else if (stat.isDirectory()) {
      mkdirSync(to.at(name), { mode: 0o700 });
      using source = heldFolder(from, name);
      using target = heldFolder(to, name);
      await copyLevel(run, source, target, joinPath(place, name));
    } else throw special(name);
  }
}

async function copyFile(run: TreeCopy, from: FolderHandle, to: FolderHandle, name: string, stat: BigIntStats): Promise<void> {
  const path = below(from, name);
  using file = openTarget(run.sandbox, { parent: from, name, path }, stat, path);
  const fd = createNewFile(to.at(name), 0o600);
  try {
    const size = await copyContent(file, fd, { ...run, isHidden: true });
    if (fstatSync(fd).size !== size) throw new DiskError("io", `Copy incomplete: not all bytes were copied: ${clip(name)}`);
    fchmodSync(fd, run.attributes.modeFor(fd, stat));
  } finally {
    closeSync(fd);
  }
}
