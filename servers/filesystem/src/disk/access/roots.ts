// The operator's directories, resolved and pinned at start: a directory is served only as long as its path leads to the object that was
// there at start, by device, inode and time of birth (inodes are reused).
import type { BigIntStats } from "node:fs";
import { clip, systemErrorCode, type HandleProvider, type RawHandle } from "@oarlock/domain-kit";
import type { Root } from "./sandbox.ts";
import { DiskError, fromSystem } from "../errors.ts";
import { foldPath, isInside, lexical } from "./path-syntax.ts";
import { isProc } from "./handles/proc-device.ts";
import { existingRealPath } from "./real-path.ts";

export interface Directory {
  readonly path: string;
  readonly readOnly: boolean;
}

export interface SkippedDirectory {
  readonly path: string;
  readonly why: "missing" | "not-a-folder" | "no-access" | "blank";
}

/** A root and the identity it had at start. */
export interface PinnedRoot extends Root {
  readonly dev: bigint;
  readonly ino: bigint;
  /** 0n where the file system does not say. */
  readonly born: bigint;
}

/** Resolves the directories in their order. `skipped` lists those that cannot be served. */
export function pinRoots(
  directories: readonly Directory[],
  handles: HandleProvider,
): { pinnedRoots: PinnedRoot[]; skipped: SkippedDirectory[] } {
  const pinnedRoots: PinnedRoot[] = [];
  const skipped: SkippedDirectory[] = [];
  for (const { path, readOnly } of directories) {
    // An empty path would mean the working directory.
    if (path.trim() === "") {
      skipped.push({ path, why: "blank" });
      continue;
    }
    const pinned = pin(path, readOnly, handles);
    if ("why" in pinned) skipped.push(pinned);
    else add(pinnedRoots, pinned);
  }
  return { pinnedRoots, skipped };
}

function pin(path: string, readOnly: boolean, handles: HandleProvider): PinnedRoot | SkippedDirectory {
  let handle: RawHandle;
  let real: string;
  try {
    real = existingRealPath(path);
    // A name that is not UTF-8 cannot be compared as text.
    if (real.includes("\ufffd")) return { path, why: "no-access" };
    handle = handles.base(real);
  } catch (error) {
    const code = systemErrorCode(error);
    return { path, why: code === "ENOENT" ? "missing" : code === "ENOTDIR" ? "not-a-folder" : "no-access" };
  }
  handle.release();
  const { dev, ino, birthtimeNs, ctimeNs } = handle.stat;
  if (!handle.stat.isDirectory()) return { path, why: "not-a-folder" };
  if (isProc(dev)) return { path, why: "no-access" };
  // Where the time of birth is unknown, the system reports the time of change instead, which changes.
  return { given: spelling(path, real), real, readOnly, dev, ino, born: birthtimeNs === ctimeNs ? 0n : birthtimeNs };
}

// The spelling without dots and doubled slashes may lead elsewhere when `..` follows a link; then only the real path counts.
function spelling(path: string, real: string): string {
  const text = lexical(path);
  try {
    return existingRealPath(text) === real ? text : real;
  } catch {
    return real;
  }
}

// A directory that is given twice is served once, and is read-only if one of the two is.
function add(pinnedRoots: PinnedRoot[], root: PinnedRoot): void {
  const index = pinnedRoots.findIndex((other) => other.real === root.real);
  const known = pinnedRoots[index];
  if (known === undefined) pinnedRoots.push(root);
  else if (known.given === root.given || root.given === root.real)
    pinnedRoots[index] = { ...known, readOnly: known.readOnly || root.readOnly };
  else {
    const readOnly = known.readOnly || root.readOnly;
    pinnedRoots[index] = { ...known, readOnly };
    pinnedRoots.push({ ...root, readOnly });
  }
}

/** Opens a pinned directory. Throws when its path leads to another object now. */
export function openPinnedRoot(root: PinnedRoot, handles: HandleProvider): RawHandle {
  let handle: RawHandle;
  try {
    handle = handles.base(root.real);
  } catch (error) {
    const isOurs = ["EMFILE", "ENFILE", "ENOMEM"].includes(systemErrorCode(error) ?? "");
    throw isOurs ? fromSystem(error, root.given) : rootChanged(root);
  }
  if (isPinned(root, handle.stat)) return handle;
  handle.release();
  throw rootChanged(root);
}

/** Whether it is the directory that was there at start. */
export function isPinned(root: PinnedRoot, now: BigIntStats): boolean {
  return now.ino === root.ino && now.dev === root.dev && (root.born === 0n || now.birthtimeNs === root.born);
}

/** Whether a path may lie in one of the roots. Whether another spelling of a root is one is for the file system to tell. */
export function isCoveredByText(roots: readonly Root[], absolute: string): boolean {
  const covers = (path: string, spelled: (text: string) => string): boolean =>
    roots.some((root) => isInside(path, spelled(root.real)) || isInside(path, spelled(root.given)));
  return covers(absolute, (text) => text) || covers(foldPath(absolute), foldPath);
}

function rootChanged(root: PinnedRoot): DiskError {
  return new DiskError(
    "not-found",
    `The allowed directory ${clip(root.given)} was removed or replaced since the server started. Other allowed directories still work; put it back or restart the server.`,
  );
}
