// Keeps git directories from being changed by path: git runs programs that their files name. Beside `.git`, a folder with HEAD, objects
// and refs is such a directory under any name, and so is the target of a link that leads out of one. Each change is checked by the names that
// exist at that moment: a link that another program creates afterwards is not seen.
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  statfsSync,
  statSync,
  type Dirent,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { clip } from "@oarlock/domain-kit";
import { platform } from "../../platform.ts";
import { DiskError } from "../errors.ts";
import { isInside, joinPath } from "./path-syntax.ts";
import { existingRealPath, realPathOf } from "./real-path.ts";

/** How many folders beside each part of the path are searched for repositories. */
const MAX_NEIGHBOURS = 500;
/** Levels of `modules` and `worktrees`, which hold further git directories. */
const MAX_LEVELS = 8;
const MAX_HOPS = 40;
const MAX_GITFILE_BYTES = 8192;
/** The file systems on which each folder in a folder is one more link to it: ext2 to ext4, XFS, tmpfs. */
const COUNTING_FOLDERS: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x01021994]);

/** In every spelling that a file system may take for .git: short names of Windows, and letters that HFS+ ignores. */
export const isGitName = (name: string): boolean =>
  /^(?:\.git|git~\d+)$/i.test(name.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, ""));

/** Whether a folder has the entries of a git directory, or would have them with a new entry `added`. */
export function isGitDirectory(folder: string, added = ""): boolean {
  const has = (name: string): boolean => name.toLowerCase() === added.toLowerCase() || exists(join(folder, name));
  return has("HEAD") && ((has("objects") && has("refs")) || has("commondir"));
}

/** For scans of a tree, which meet every entry: throws at the HEAD of a git directory, so that its other entries need no look. */
export function checkTreeEntry(path: string): void {
  if (basename(path).toLowerCase() === "head" && isGitDirectory(dirname(path))) throw refused("a git directory", dirname(path));
}

/**
 * Throws where a change at the real path changes a git directory, or makes one.
 * @param roots Only inside these are the folders beside the path searched for repositories with a link to it.
 */
export function checkOutsideGit(real: string, roots: readonly { readonly real: string }[]): void {
  for (let [path, folder] = [real, dirname(real)]; folder !== path; [path, folder] = [folder, dirname(folder)]) {
    if (isGitDirectory(folder, basename(path))) throw refused("a git directory", real);
    const neighbours = roots.some((root) => isInside(folder, root.real)) ? foldersIn(folder) : [];
    // The folder on the way up was looked at in the step before.
    const repositories = [folder, ...neighbours].filter((one) => (one !== path || path === real) && mayBeRepository(one));
    if (repositories.some((repository) => leadsTo(repository, real))) throw refused("the target of a link in a git directory", real);
  }
}

const refused = (what: string, path: string): DiskError =>
  new DiskError("denied", `Writing to ${what} is refused, because git runs programs that it names: ${clip(path)}`);

/** Two quick looks, because few folders are repositories. */
const mayBeRepository = (folder: string): boolean => exists(`${folder}/.git`) || existsSync(`${folder}/objects`);

/** Whether a git directory, `folder/.git` or the folder itself, has a link to the path, or to something above or below it. */
function leadsTo(folder: string, real: string): boolean {
  const git = join(folder, ".git");
  const linked = gitFileTarget(git);
  const start = linked ?? (exists(git) ? git : isGitDirectory(folder) ? folder : undefined);
  if (start === undefined) return false;
  const targets = [...(linked === undefined ? [] : [linked]), ...linkTargets(start, 1)];
  return targets.some((target) => !isInside(target, git) && (isInside(real, target) || isInside(target, real)));
}

/** Where `.git` leads as a link, or as a file of git's own; undefined for a directory. */
function gitFileTarget(git: string): string | undefined {
  const stat = lstatSync(git, { throwIfNoEntry: false });
  if (stat?.isSymbolicLink() === true) return targetOf(git);
  if (stat?.isFile() !== true) return undefined;
  const [, path] = /^gitdir: (.*?)\s*$/m.exec(beginningOf(git)) ?? [];
  return path === undefined ? undefined : realPathOf(resolve(dirname(git), path));
}

function beginningOf(path: string): string {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const bytes = Buffer.alloc(MAX_GITFILE_BYTES);
    return bytes.toString("utf8", 0, readSync(fd, bytes));
  } catch {
    return "";
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** The targets of the links in a git directory and in the folders right below it; objects name no programs. */
function* linkTargets(folder: string, levels: number): Generator<string> {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) yield targetOf(path);
    else if (entry.isDirectory() && levels > 0 && basename(folder) !== "objects") {
      yield* linkTargets(path, ["modules", "worktrees"].includes(entry.name) ? MAX_LEVELS : levels - 1);
    }
  }
}

/** Where a link leads in the end, also where nothing is there yet. */
function targetOf(link: string): string {
  let path = link;
  for (let hops = 0; hops < MAX_HOPS; hops += 1) {
    try {
      return existingRealPath(path);
    } catch {
      const text = readLink(path);
      if (text === undefined) return path;
      path = realPathOf(resolve(dirname(path), text));
    }
  }
  return path;
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function foldersIn(folder: string): string[] {
  if (hasNoFolders(folder)) return [];
  return entriesOf(folder)
    .filter((entry) => entry.isDirectory() && !isGitName(entry.name))
    .slice(0, MAX_NEIGHBOURS)
    .map(({ name }) => joinPath(folder, name));
}

/** Known without a list of its entries, which takes milliseconds where there are thousands of files. False where it is not known. */
function hasNoFolders(folder: string): boolean {
  try {
    return platform === "linux" && statSync(folder).nlink === 2 && COUNTING_FOLDERS.has(statfsSync(folder).type);
  } catch {
    return false;
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // below something that is not a folder
  }
}
