// Deletes files and directories, in two steps: a plan of what would be deleted, which changes nothing and throws for entries that must
// stay, and the deletion, which checks each entry again. A link is removed and never followed; all work goes through open directories.
import { unlinkSync, type BigIntStats } from "node:fs";
import { clip, escapeControls, jsonStringBytes, retryWhileInUse } from "@oarlock/domain-kit";
import type { Sandbox, Entry, FolderHandle } from "../access/sandbox.ts";
import { DiskError } from "../errors.ts";
import { mountPointError, mountPoints } from "../rights/mount-point.ts";
import { changeError, isWriteProtected, mustBeRemovable } from "../rights/write-access.ts";
import { withLock } from "../write/name-lock.ts";
import { lookThrough } from "./tree-scan.ts";
import { checkLinkStaysInside } from "../access/link-target.ts";
import type { TrashWriter } from "../trash/trash-writer.ts";
import { removeFolder } from "./tree-removal.ts";
import { syncFolder } from "../write/atomic-replace.ts";
import { lookAt } from "../access/entry-stat.ts";
import { missingEntry } from "../access/similar-name.ts";

/** Paths in a plan. */
const MOST_PATHS = 1000;

export interface DeleteOptions {
  /** Delete directories with all entries below them. Default false: directories are refused. */
  readonly recursive?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface DeletionPlan {
  readonly path: string;
  readonly type: "file" | "directory" | "symlink" | "FIFO" | "socket";
  /** The path itself included. */
  readonly entries: number;
  /** Of all files. */
  readonly bytes: number;
  /** A file that this user may not write. */
  readonly isProtected: boolean;
  /** The first of the entries, absolute. */
  readonly paths: readonly string[];
}

/** What would be deleted. Throws where it may not be. `maxBytes`: the most bytes of the paths in a reply. */
export async function planDeletion(
  sandbox: Sandbox,
  path: string,
  options: DeleteOptions & { readonly maxBytes: number },
): Promise<DeletionPlan> {
  using entry = sandbox.entry(path);
  const stat = check(sandbox, entry, path, options);
  const type = typeOf(stat);
  const paths = [entry.path];
  let [entries, bytes, room] = [1, stat.isFile() ? Number(stat.size) : 0, options.maxBytes];
  if (type === "directory") {
    using folder = openFolder(entry);
    const look = (below: { path: string; stat: BigIntStats }) => {
      checkDeletable(sandbox, below.path, path);
      entries += 1;
      if (below.stat.isFile()) bytes += Number(below.stat.size);
      room -= jsonStringBytes(below.path) + 2 * jsonStringBytes(escapeControls(below.path));
      if (paths.length < MOST_PATHS && room > 0) paths.push(below.path);
      return true;
    };
    await lookThrough(folder, look, options.signal);
  }
  return { path: entry.path, type, entries, bytes, isProtected: isWriteProtected(entry, stat), paths };
}

export interface Deleted {
  /** The path itself included. */
  readonly entries: number;
  /** Brings the deleted entries back. */
  readonly undo?: string;
}

/** Moves an entry with all entries below it to the trash. `bytes`: of all files. */
export async function moveToTrash(
  sandbox: Sandbox,
  path: string,
  trash: TrashWriter,
  bytes: number,
  options: DeleteOptions,
): Promise<Deleted> {
  using entry = sandbox.entry(path);
  const take = async () => {
    const stat = check(sandbox, entry, path, options);
    const entries = 1 + (stat.isDirectory() ? await countDeletable(sandbox, entry, path, options.signal) : 0);
    return { entries, undo: await trash.takeDeleted(entry, stat, bytes, options.signal) };
  };
  return await withLock(entry, take, options.signal);
}

async function countDeletable(sandbox: Sandbox, entry: Entry, path: string, signal: AbortSignal | undefined): Promise<number> {
  using folder = openFolder(entry);
  let count = 0;
  const look = (below: { path: string }) => {
    checkDeletable(sandbox, below.path, path);
    count += 1;
    return true;
  };
  await lookThrough(folder, look, signal);
  return count;
}

/** Deletes for good. Entries stay deleted after an error or a cancellation. */
export async function deletePath(
  sandbox: Sandbox,
  path: string,
  options: DeleteOptions & { readonly progress?: (deleted: number) => void },
): Promise<Deleted> {
  using entry = sandbox.entry(path);
  let deleted = 0;
  const remove = async () => {
    const stat = check(sandbox, entry, path, options);
    const removing = (below: string) => {
      options.signal?.throwIfAborted();
      checkDeletable(sandbox, below, path);
      deleted += 1;
      options.progress?.(deleted);
    };
    try {
      if (stat.isDirectory()) await removeFolder(entry.parent, entry.name, removing);
      else await retryWhileInUse(() => unlinkSync(entry.parent.at(entry.name)));
      await syncFolder(entry.parent);
    } catch (error) {
      const why = changeError(error, path, entry.parent);
      throw deleted < 2 ? why : new DiskError(why.code, `${why.message} (${deleted - 1} entries in it were deleted before)`);
    }
    return { entries: deleted + 1 };
  };
  return await withLock(entry, remove, options.signal);
}

function check(sandbox: Sandbox, entry: Entry, path: string, { recursive }: DeleteOptions): BigIntStats {
  sandbox.mustBeWritable(entry.path);
  const stat = lookAt(entry);
  if (stat === undefined) throw missingEntry(sandbox, entry, path);
  if (mountPoints().has(entry.path)) throw mountPointError(entry.path);
  mustBeRemovable(entry.parent, entry.name, stat);
  if (stat.isSymbolicLink()) checkLinkStaysInside(sandbox, path);
  else if (stat.isBlockDevice() || stat.isCharacterDevice()) throw new DiskError("not-a-file", `Devices are not deleted: ${clip(path)}`);
  if (entry.asFolder && !stat.isDirectory())
    throw new DiskError("not-a-folder", `A path that ends in a slash must be a directory: ${clip(path)}`);
  if (stat.isDirectory() && recursive !== true)
    throw new DiskError("not-a-file", `This is a directory. Pass recursive: true to delete it with all entries below it: ${clip(path)}`);
  return stat;
}

function typeOf(stat: BigIntStats): DeletionPlan["type"] {
  if (stat.isDirectory()) return "directory";
  if (stat.isSymbolicLink()) return "symlink";
  return stat.isFIFO() ? "FIFO" : stat.isSocket() ? "socket" : "file";
}

function checkDeletable(sandbox: Sandbox, below: string, path: string): void {
  // The message must not reveal the hidden name.
  if (!sandbox.shows(below)) throw new DiskError("denied", `Directory cannot be deleted: a part of it is hidden: ${clip(path)}`);
  sandbox.mustBeWritableBelow(below);
}

function openFolder({ parent, name }: Entry): FolderHandle {
  const folder = parent.child(name);
  if (folder === undefined)
    throw new DiskError("conflict", `Directory changed: another program changed ${clip(name)} in the meantime. Try again.`);
  return folder;
}
