// The disk: one object that the tools get. Everything else in this folder takes an Area.
import { areaOf } from "./access/path-resolver.ts";
import { compileDeny } from "./access/deny-rules.ts";
import type { Area, Root } from "./access/area.ts";
import { byHandle, canHold } from "./access/linux-handle.ts";
import { byName } from "./access/portable-handle.ts";
import { pinRoots, type Directory, type Skipped } from "./access/roots.ts";

export interface DiskOptions {
  /** The operator's directories, `~` already expanded and `:ro` already taken off. */
  readonly directories: readonly Directory[];
  /** Globs of --deny. */
  readonly deny?: readonly string[];
  /** Allow writes at and below a `.git` name. */
  readonly writeGit?: boolean;
  /** Refuse files that have more than one name (hard link). */
  readonly refuseHardLinks?: boolean;
  /** All directories are for reading only, however they are marked. */
  readonly readOnly?: boolean;
  /** Work by names alone, as on systems without /proc. For tests. */
  readonly byName?: boolean;
}

export interface Disk {
  /** The operator's directories that can be served. Empty: every call is denied. */
  readonly roots: readonly Root[];
  /** Directories that cannot be served, for the warnings at start. */
  readonly skipped: readonly Skipped[];
  /** What a request may touch; `folders` are the client's roots as absolute paths. */
  area(folders?: readonly string[]): Area;
}

/** Resolves and pins the directories. A glob that is no glob is an error; a directory that is missing is not. */
export async function openDisk(options: DiskOptions): Promise<Disk> {
  const holder = options.byName !== true && canHold() ? byHandle : byName;
  const { directories, readOnly = false } = options;
  const marked = readOnly ? directories.map(({ path }) => ({ path, readOnly })) : directories;
  const { walls, skipped } = pinRoots(marked, holder);
  const whole = areaOf({
    walls,
    holder,
    denies: compileDeny(options.deny ?? []),
    writeGit: options.writeGit ?? false,
    refuseHardLinks: options.refuseHardLinks ?? false,
  });
  return { roots: walls, skipped, area: (folders) => whole.narrowed(folders) };
}
