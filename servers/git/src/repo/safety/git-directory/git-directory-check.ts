// Checks that a git directory is what git reads: plain files and folders, without symbolic links, pipes or devices, and that the object
// stores which it borrows from (alternates) lie inside the sandbox. Repeated with every call.
import { isUtf8 } from "node:buffer";
import { readdirSync, readFileSync, realpathSync, type BigIntStats, type Dirent, type Stats } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { clip, systemErrorCode } from "@oarlock/domain-kit";
import { GitError } from "../../errors.ts";
import type { RepositoryPaths } from "../../process/repository-paths.ts";
import { entryAt, exactEntryAt } from "../file-entry.ts";
import { refuseHugeFiles } from "./git-file-sizes.ts";
import { isHeadName, refuseRefFile } from "./ref-files.ts";
import { namesPaths, refusePathsElsewhere } from "./named-paths.ts";
import { isInside, type Sandbox } from "../sandbox.ts";

const MAX_ALTERNATES = 16;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_FOLDERS = 100_000;
/** A change this soon after the one before may leave the times of a folder as they were: file systems count in ticks of their clock. */
const CLOCK_TICK_MS = 50;

/** Folders that are not checked: hooks do not run, the others belong to other programs. `ref-files.ts` refuses names that lead there. */
const UNREAD_FOLDERS: ReadonlySet<string> = new Set(["hooks", "lfs", "annex"]);

/** How many folders of loose objects one call looks at again: a look at all 256 is a third of a git_status. */
const LOOSE_FOLDERS_PER_CALL = 16;

/** A path; bytes where a name in it is not UTF-8, as its text would be another name. */
type BytePath = string | Buffer;

/** A folder, its subfolders, and what is remembered of the check of its entries. */
interface CheckedFolder {
  readonly path: BytePath;
  /** The folder as it was when its entries were checked; undefined where they must be checked again. */
  stat?: BigIntStats | undefined;
  subfolders: readonly CheckedFolder[];
  /** Files in it that lead git to others. They are compared on their own: overwriting one in place leaves the times of the folder as they were. */
  pointers: readonly PointerFile[];
  /** In a folder `objects`: the number of the subfolder at which the next call continues. */
  nextLoose?: number;
}

interface PointerFile {
  readonly path: BytePath;
  readonly signature: string;
}

const LOOSE_FOLDER = /[\\/][0-9a-f]{2}$/;
const SLASH = Buffer.from("/");

/** Changes whenever the file or folder changes; "-" if there is none. */
export function fileSignature(path: BytePath): string {
  const stat = exactEntryAt(path);
  return stat === undefined ? "-" : `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
}

/**
 * The subfolders to check again in this call. With many folders of loose objects, each call takes only the next few of those. A symbolic link
 * that appears in one while the server runs may be found some calls later. Until then git could read an object outside the sandbox, if the
 * caller knows its id; it could write nothing there.
 */
function dueSubfolders(folder: CheckedFolder, root: string): readonly CheckedFolder[] {
  if (folder.subfolders.length <= LOOSE_FOLDERS_PER_CALL) return folder.subfolders;
  const isStore = folder.path === join(root, "objects") || (folder.path === root && basename(root) === "objects");
  if (!isStore) return folder.subfolders;
  const isLoose = ({ path }: CheckedFolder): boolean => typeof path === "string" && LOOSE_FOLDER.test(path);
  const { nextLoose: first = 0 } = folder;
  const next = first + LOOSE_FOLDERS_PER_CALL;
  folder.nextLoose = next < folder.subfolders.length ? next : 0;
  return folder.subfolders.filter((subfolder, at) => (at >= first && at < first + LOOSE_FOLDERS_PER_CALL) || !isLoose(subfolder));
}

const isUnchanged = (now: BigIntStats, before: BigIntStats | undefined): boolean =>
  now.ctimeNs === before?.ctimeNs && now.mtimeNs === before.mtimeNs && now.ino === before.ino && now.size === before.size;

/** Whether a second change would have another time: a younger entry is checked again in the next call. */
export const isSettled = (stat: Stats | BigIntStats | undefined): boolean =>
  stat === undefined || Date.now() - Number(stat.ctimeMs) > CLOCK_TICK_MS;

/** The key of a path in a map. Bytes get a mark, as their text may be the name of another entry. */
const keyOf = (path: BytePath): string => (typeof path === "string" ? path : `\0${path.toString("latin1")}`);

/** The check of one repository. Folders that were checked are remembered, so that another run costs a stat for each. */
export class GitDirectoryCheck {
  readonly #sandbox: Sandbox;
  readonly #paths: RepositoryPaths;
  readonly #roots = new Map<string, CheckedFolder>();
  #folders = 0;

  constructor(sandbox: Sandbox, paths: RepositoryPaths) {
    this.#sandbox = sandbox;
    this.#paths = paths;
  }

  /** Throws a {@link GitError} for a link, a pipe, a device, or an object store outside the sandbox. `given`: the path in messages. */
  run(given: string): void {
    const { gitDir, commonDir } = this.#paths;
    this.#folders = 0;
    for (const root of new Set([gitDir, commonDir])) {
      this.#checkBelow(root, given);
      refuseHugeFiles(root, given);
    }
    this.#checkAlternates(join(commonDir, "objects"), given, new Set());
  }

  #checkBelow(root: string, given: string): void {
    const folder = this.#roots.get(root) ?? { path: root, subfolders: [], pointers: [] };
    this.#roots.set(root, folder);
    this.#checkFolder(folder, root, given);
  }

  #checkFolder(folder: CheckedFolder, root: string, given: string): void {
    if ((this.#folders += 1) > MAX_FOLDERS)
      throw new GitError(
        "unsafe",
        `Refused: the git directory of ${clip(given)} has more than ${MAX_FOLDERS} folders. Clean it up with git gc.`,
      );
    const stat = exactEntryAt(folder.path);
    if (stat === undefined) return;
    const isKnown = isUnchanged(stat, folder.stat) && folder.pointers.every(({ path, signature }) => fileSignature(path) === signature);
    if (!isKnown) {
      folder.stat = undefined;
      const known = new Map(folder.subfolders.map((subfolder) => [keyOf(subfolder.path), subfolder]));
      const { subfolders, pointers } = checkEntries(folder.path, root, given);
      folder.subfolders = subfolders.map((path) => known.get(keyOf(path)) ?? { path, subfolders: [], pointers: [] });
      folder.pointers = pointers;
    }
    for (const subfolder of isKnown ? dueSubfolders(folder, root) : folder.subfolders) this.#checkFolder(subfolder, root, given);
    if (!isKnown && isSettled(stat) && folder.pointers.every(({ path }) => isSettled(entryAt(path)))) folder.stat = stat;
  }

  #checkAlternates(objects: string, given: string, seen: Set<string>): void {
    const file = join(objects, "info", "alternates");
    const stat = entryAt(file);
    if (stat === undefined) return;
    if (!stat.isFile() || stat.size > MAX_FILE_BYTES)
      throw new GitError(
        "unsafe",
        `Refused: the list of alternate object stores of ${clip(given)} is not a plain file. Replace or remove it.`,
      );
    for (const line of readFileSync(file, "utf8").split("\n")) {
      if (line === "" || line.startsWith("#")) continue;
      const path = this.#alternateOf(objects, line);
      if (path === undefined || !this.#sandbox.contains(path))
        throw new GitError(
          "denied",
          `Access denied - an alternate object store of it (objects/info/alternates) leads outside the allowed repositories: ${clip(given)}`,
        );
      if (seen.has(path)) continue;
      if (seen.add(path).size > MAX_ALTERNATES)
        throw new GitError(
          "unsafe",
          `Refused: ${clip(given)} borrows from more than ${MAX_ALTERNATES} object stores. Repack it with git repack -ad.`,
        );
      this.#checkBelow(path, given);
      this.#checkAlternates(path, given, seen);
    }
  }

  /** The object store of a line; undefined if there is none, or where git could come to another one than this check. */
  #alternateOf(objects: string, line: string): string | undefined {
    // A path in C quotes is refused: the operator can write it without them.
    if (line.startsWith('"')) return undefined;
    const written = resolve(objects, line);
    const real = realPathOf(written);
    // Old versions of git remove ".." from the text, new ones follow links first.
    if (real === undefined || realPathOf(isAbsolute(line) ? line : `${objects}/${line}`) !== real) return undefined;
    if (written !== real && isInside(written, this.#paths.top))
      throw new GitError(
        "unsafe",
        `Refused: the alternate object store ${clip(line)} (objects/info/alternates) goes through a symbolic link, which a checkout can change. Write the path without it.`,
      );
    return real;
  }
}

/** Checks the entries of a folder. Returns the subfolders that git reads, and the files that lead it to others. */
function checkEntries(folder: BytePath, root: string, given: string): { subfolders: BytePath[]; pointers: PointerFile[] } {
  const entries = entriesOf(folder, given);
  const isGitDir = folder === root || isModule(folder, root, entries);
  const isRefs = typeof folder === "string" && isInside(folder, join(root, "refs"));
  const hasHeads = isGitDir || (typeof folder === "string" && dirname(folder) === join(root, "worktrees"));
  const pointers: PointerFile[] = [];
  const read = entries.filter(({ name }) => !isGitDir || name !== "hooks");
  for (const { path, name, entry } of read) {
    if (entry.isSymbolicLink()) throw linkRefusal(nameOf(path, root), given);
    if (entry.isFIFO() || entry.isCharacterDevice() || entry.isBlockDevice())
      throw new GitError(
        "unsafe",
        `Refused: the git directory of ${clip(given)} holds a pipe or device, on which git would wait: ${nameOf(path, root)}. Remove it.`,
      );
    if (!entry.isFile()) continue;
    const isHead = hasHeads && isHeadName(name);
    const isRef = isRefs || isHead;
    const hasPaths = typeof path === "string" && namesPaths(path, root);
    if (isRef || hasPaths) pointers.push({ path, signature: fileSignature(path) });
    if (isRef) refuseRefFile(path, nameOf(path, root), given);
    else if (hasPaths) refusePathsElsewhere(path, root, nameOf(path, root), given);
  }
  const folders = read.filter(({ name, entry }) => entry.isDirectory() && !(isGitDir && UNREAD_FOLDERS.has(name)));
  return { subfolders: folders.map(({ path }) => path), pointers };
}

/** Whether a folder is the git directory of a submodule. It is checked once more as the root of its own when it is opened. */
const isModule = (folder: BytePath, root: string, entries: readonly FolderEntry[]): boolean =>
  typeof folder === "string" &&
  isInside(folder, join(root, "modules")) &&
  ["HEAD", "objects", "refs"].every((part) => entries.some(({ name }) => name === part));

/** `name`: the link, from the git directory. */
export const linkRefusal = (name: string, given: string): GitError =>
  new GitError(
    "unsafe",
    `Refused: the git directory of ${clip(given)} holds the symbolic link ${name}, and git would read and write where it leads. Replace it by a plain file or folder.`,
  );

const nameOf = (path: BytePath, root: string): string => clip(path.toString().slice(root.length + 1));

interface FolderEntry {
  readonly path: BytePath;
  readonly name: string;
  readonly entry: Dirent<string | Buffer>;
}

/** Throws for a folder that cannot be listed: git may still open what it knows by name. */
function entriesOf(folder: BytePath, given: string): FolderEntry[] {
  try {
    if (typeof folder === "string") {
      const entries = readdirSync(folder, { withFileTypes: true });
      // Node puts this character into the text of a name that is not UTF-8.
      if (!entries.some(({ name }) => name.includes("\ufffd")))
        return entries.map((entry) => ({ path: join(folder, entry.name), name: entry.name, entry }));
    }
    return readdirSync(folder, { withFileTypes: true, encoding: "buffer" }).map((entry) => {
      const name = entry.name.toString();
      const isText = typeof folder === "string" && isUtf8(entry.name);
      return { path: isText ? join(folder, name) : Buffer.concat([Buffer.from(folder), SLASH, entry.name]), name, entry };
    });
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemErrorCode(error) ?? "")) return [];
    throw new GitError("unsafe", `Refused: a folder in the git directory of ${clip(given)} cannot be read. Check its permissions.`);
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
