// Copies through open directories, for moves from one file system to another. Links are copied as links, and modes and times are kept.
// Other kinds of objects are refused before anything is removed.
import { closeSync, constants, fstatSync, fsync, futimesSync, lstatSync, mkdirSync, openSync, readdirSync } from "node:fs";
import { fchmodSync, type BigIntStats } from "node:fs";
import { promisify } from "node:util";
import { clip, createNewFile } from "@oarlock/domain-kit";
import type { CopiedMetadata } from "./copied-metadata.ts";
import { copyBlocks } from "./block-copy.ts";
import { copyLink } from "./link-copy.ts";
import { below } from "./tree-scan.ts";
import { platform } from "../../platform.ts";
import type { TreeAttributes } from "../attributes/tree-attributes.ts";
import type { FolderHandle } from "../access/sandbox.ts";
import { DiskError, notUtf8 } from "../errors.ts";
import { syncFolder } from "../write/atomic-replace.ts";
import type { Fill } from "../write/replacement.ts";
import type { DiskCalls } from "../write/disk-calls.ts";

const MAX_ENTRIES = 100_000;
const MAX_DEPTH = 256;
const sync = promisify(fsync);

interface Run {
  entries: number;
  readonly copied: CopiedMetadata;
  readonly attributes: TreeAttributes;
  readonly calls: DiskCalls;
  readonly signal: AbortSignal | undefined;
}

/** Fills a new file from the entry whose stat was taken. Throws when the source changes meanwhile. */
export function copyFill(parent: FolderHandle, name: string, { ino, dev }: BigIntStats, signal: AbortSignal | undefined): Fill {
  return async (fd) => {
    const source = openSync(parent.at(name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(source, { bigint: true });
      if (!stat.isFile()) throw new DiskError("not-a-file", `Not a regular file: ${clip(name)}`);
      // The copy may belong to the user of the server.
      parent.checkOwner(name, stat);
      // Another file would get the rights of the one that was looked at.
      if (stat.ino !== ino || stat.dev !== dev)
        throw new DiskError("conflict", `File changed: another program just replaced it. Try again: ${clip(name)}`);
      const size = await copyContent(source, fd, stat, signal);
      return size;
    } finally {
      closeSync(source);
    }
  };
}

async function copyContent(source: number, fd: number, stat: BigIntStats, signal: AbortSignal | undefined): Promise<number> {
  await copyBlocks(source, fd, stat, signal);
  const now = fstatSync(source, { bigint: true });
  if (now.size !== stat.size || now.mtimeNs !== stat.mtimeNs) {
    throw new DiskError("conflict", "Source changed while it was being copied; nothing was moved. Try again.");
  }
  futimesSync(fd, Number(stat.atimeNs) / 1e9, Number(stat.mtimeNs) / 1e9);
  return Number(stat.size);
}

/** Copies all entries of a directory into an empty one, and records their metadata. */
export async function copyEntries(from: FolderHandle, to: FolderHandle, how: Omit<Run, "entries">): Promise<void> {
  await copyLevel(from, to, { ...how, entries: 0 }, 0);
}

async function copyLevel(from: FolderHandle, to: FolderHandle, run: Run, depth: number): Promise<void> {
  if (depth > MAX_DEPTH) throw new DiskError("too-large", `Directory too deep: at most ${MAX_DEPTH} levels can be moved.`);
  for (const name of readdirSync(from.self)) {
    run.signal?.throwIfAborted();
    run.entries += 1;
    if (run.entries > MAX_ENTRIES) throw new DiskError("too-large", `Directory too large: at most ${MAX_ENTRIES} entries can be moved.`);
    const stat = lstatSync(from.at(name), { bigint: true, throwIfNoEntry: false });
    if (stat === undefined && name.includes("\ufffd")) throw notUtf8(name);
    if (stat === undefined) throw new DiskError("conflict", `Directory changed while it was being copied: ${clip(name)}. Try again.`);
    run.copied.note(below(from, name), stat);
    if (stat.isSymbolicLink()) copyLink(from.at(name), to.at(name), name, run.calls);
    else if (stat.isFile()) await copyFile(from, to, name, stat, run);
    else if (stat.isDirectory()) await copyFolder(from, to, name, run, depth);
    else throw new DiskError("not-a-file", `Not a file, directory or link: ${clip(name)}`);
  }
  await syncFolder(to);
}

async function copyFile(from: FolderHandle, to: FolderHandle, name: string, stat: BigIntStats, { attributes, signal }: Run): Promise<void> {
  const fd = createNewFile(to.at(name), 0o600);
  try {
    fchmodSync(fd, attributes.modeFor(fd, stat));
    const size = await copyFill(from, name, stat, signal)(fd);
    if (fstatSync(fd).size !== size) throw new DiskError("io", `Copy incomplete: not all bytes were copied: ${clip(name)}`);
    await sync(fd);
  } finally {
    closeSync(fd);
  }
}

async function copyFolder(from: FolderHandle, to: FolderHandle, name: string, run: Run, depth: number): Promise<void> {
  using source = heldFolder(from, name);
  mkdirSync(to.at(name), { mode: 0o700 });
  using target = heldFolder(to, name);
  await copyLevel(source, target, run, depth + 1);
}

/** Sets modes at the end, because entries can be neither added to a read-only directory nor removed from it. */
export function setModes(from: FolderHandle, to: FolderHandle, attributes: TreeAttributes, on = platform): void {
  if (on === "win32") return;
  for (const entry of readdirSync(to.self, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    using source = heldFolder(from, entry.name);
    using target = heldFolder(to, entry.name);
    setModes(source, target, attributes, on);
    setMode(target, source.stat, attributes, on);
  }
}

export function heldFolder(parent: FolderHandle, name: string): FolderHandle {
  const folder = parent.child(name);
  if (folder === undefined) throw new DiskError("conflict", `Directory changed while it was being copied: ${clip(name)}. Try again.`);
  return folder;
}

/**
 * Sets the mode of an open directory to that of its source. Not on Windows, where directories have no mode: fchmod is ReOpenFile in libuv, which
 * refuses a directory (EPERM), because it passes no FILE_FLAG_BACKUP_SEMANTICS.
 */
export function setMode(folder: FolderHandle, source: BigIntStats, attributes: TreeAttributes, on = platform): void {
  if (on === "win32") return;
  const fd = openSync(folder.self, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fchmodSync(fd, attributes.modeFor(fd, source));
  } finally {
    closeSync(fd);
  }
}
