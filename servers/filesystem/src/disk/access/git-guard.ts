// Keeps git directories from being changed by path: git runs programs that their files name. Beside `.git`, a folder with HEAD, objects
// and refs is such a directory under any name, and so is the target of a link that leads out of one. Only names are looked at, on each
// change: a link that another program creates after the check is not seen.
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Dirent,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { clip } from "@oarlock/domain-kit";
import { DiskError } from "../errors.ts";
import { realPathOf } from "./deny-rules.ts";
import { isInside } from "./path-syntax.ts";

/** Folders beside the path in which a `.git` is looked for; more are passed over. */
const MAX_NEIGHBOURS = 500;
/** Levels of `modules` and `worktrees`, which hold further git directories. */
const MAX_LEVELS = 8;
const MAX_HOPS = 40;
const MAX_GITFILE_BYTES = 8192;

/** In every spelling that a file system may take for .git: short names of Windows, and letters that HFS+ ignores. */
export const isGitName = (name: string): boolean =>
  /^(?:\.git|git~\d+)$/i.test(name.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, ""));

/** Whether the folder is a git directory, or becomes one with the name `added`. */
export function isGitDirectory(folder: string, added = ""): boolean {
  const has = (name: string): boolean => name.toLowerCase() === added.toLowerCase() || exists(join(folder, name));
  return has("HEAD") && ((has("objects") && has("refs")) || has("commondir"));
}

/** Throws for an entry that makes the folder around it a git directory, in scans of a tree: one of its names is enough. */
export function checkTreeEntry(path: string): void {
  if (basename(path).toLowerCase() === "head" && isGitDirectory(dirname(path))) throw refused("a git directory", dirname(path));
}

/** Throws where a change of the path changes a git directory, or makes one. `roots`: where neighbours are looked at. */
export function checkOutsideGit(real: string, roots: readonly { readonly real: string }[]): void {
  for (let [path, folder] = [real, dirname(real)]; folder !== path; [path, folder] = [folder, dirname(folder)]) {
    if (isGitDirectory(folder, basename(path))) throw refused("a git directory", real);
    const neighbours = roots.some((root) => isInside(folder, root.real)) ? foldersIn(folder) : [];
    const repositories = [folder, ...neighbours].filter(mayBeRepository);
    if (repositories.some((place) => leadsTo(place, real))) throw refused("the target of a link in a git directory", real);
  }
}

const refused = (what: string, path: string): DiskError =>
  new DiskError("denied", `Writing to ${what} is refused, because git runs programs that it names: ${clip(path)}`);

/** Two quick looks, because few folders are repositories. */
const mayBeRepository = (folder: string): boolean => exists(`${folder}/.git`) || existsSync(`${folder}/objects`);

/** Whether the git directory of a work tree, or the folder as a git directory, has a link to the path, to what is above or to what is below it. */
function leadsTo(folder: string, real: string): boolean {
  const git = join(folder, ".git");
  const outside = gitFileTarget(git);
  const start = outside ?? (exists(git) ? git : isGitDirectory(folder) ? folder : undefined);
  if (start === undefined) return false;
  const targets = [...(outside === undefined ? [] : [outside]), ...linkTargets(start, 1)];
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
      return realpathSync.native(path);
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

const foldersIn = (folder: string): string[] =>
  entriesOf(folder)
    .filter((entry) => entry.isDirectory() && !isGitName(entry.name))
    .slice(0, MAX_NEIGHBOURS)
    .map(({ name }) => `${folder}/${name}`);

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
