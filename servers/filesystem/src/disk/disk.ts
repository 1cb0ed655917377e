// The disk: opens the operator's directories. Everything else below disk/ takes an Sandbox, the part of the disk that a request may touch.
import { canUseLinuxHandles, CursorSealer, linuxHandles, portableHandles, type HandleProvider } from "@oarlock/domain-kit";
import type { Sandbox, Root } from "./access/sandbox.ts";
import { alsoHiding, anchoredDeny, compileDeny } from "./access/deny-rules.ts";
import { PathResolver } from "./access/path-resolver.ts";
import { pinRoots, type Directory, type SkippedDirectory } from "./access/roots.ts";

export interface DiskOptions {
  /** The operator's directories, with `~` expanded and `:ro` taken off. */
  readonly directories: readonly Directory[];
  /** Globs of --deny. */
  readonly deny?: readonly string[];
  /** The operator's directories, where the client's replace them: relative globs of --deny start here. Default: `directories`. */
  readonly denyAnchors?: readonly string[] | undefined;
  /** Further paths that are hidden, with all below them: those of the server itself. */
  readonly hidden?: readonly string[];
  /** Allow writes at and below a `.git` name. */
  readonly writeGit?: boolean;
  /** Refuse files that have several names (hard links). */
  readonly refuseHardLinks?: boolean;
  /** Give no content of files whose owner is neither the user of this process nor root. */
  readonly lockdown?: boolean;
  /** All directories are for reading only, however they are marked. */
  readonly readOnly?: boolean;
  /** A sentence for all refusals of a path. */
  readonly refusalHint?: string;
  /** Seals the cursors of cut lists. Default: with a random key, so cursors end with the disk. */
  readonly cursors?: CursorSealer;
  /** Handles on objects. Default: those of the system. For tests. */
  readonly handles?: HandleProvider;
}

export interface Disk {
  /** The directories that can be served. Empty: every call is denied. */
  readonly roots: readonly Root[];
  /** Directories that cannot be served, for the warnings at start. */
  readonly skipped: readonly SkippedDirectory[];
  /** What a request may touch; `folders` are the client's roots as absolute paths, `hint` a sentence for the refusals of this sandbox. */
  sandbox(folders?: readonly string[], hint?: string): Sandbox;
}

/** Resolves and pins the directories. Throws for an invalid glob; a directory that is missing is skipped. */
export async function openDisk(options: DiskOptions): Promise<Disk> {
  const handles = options.handles ?? (canUseLinuxHandles() ? linuxHandles : portableHandles);
  const { directories, readOnly = false } = options;
  const marked = readOnly ? directories.map(({ path }) => ({ path, readOnly })) : directories;
  const { pinnedRoots, skipped } = pinRoots(marked, handles);
  const { deny = [], denyAnchors } = options;
  const denies = denyAnchors === undefined ? compileDeny(deny) : anchoredDeny(deny, denyAnchors);
  const everything = new PathResolver({
    pinnedRoots,
    handles,
    denies: alsoHiding(denies, options.hidden ?? [], denyAnchors === undefined ? pinnedRoots : "client's"),
    writeGit: options.writeGit ?? false,
    refuseHardLinks: options.refuseHardLinks ?? false,
    lockdown: options.lockdown ?? false,
    refusalHint: options.refusalHint,
    cursors: options.cursors ?? new CursorSealer(),
  });
  return { roots: pinnedRoots, skipped, sandbox: (folders, hint) => everything.narrowed(folders, hint) };
}
