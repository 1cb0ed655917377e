// Checks that everything a git directory leads to lies inside the sandbox: symbolic links, borrowed object stores (alternates), and no
// pipes or devices. Repeated whenever one of its folders has changed.
import { isUtf8 } from "node:buffer";
import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync, type Dirent } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import type { RepositoryPaths } from "../process/repository-paths.ts";
import type { Sandbox } from "./sandbox.ts";

const MAX_ALTERNATES = 16;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_FOLDERS = 100_000;
const MAX_LINKS = 40;

/** Folders that are checked with everything below. Hooks are never run from the repository, so their folder is not in the list. */
const DEEP_FOLDERS = ["refs", "logs", "worktrees", "modules", "info", "rebase-merge", "rebase-apply", "sequencer"];

/** A path; bytes where a name in it is not UTF-8, as its text would be another name. */
type BytePath = string | Buffer;

const SLASH = Buffer.from("/");

/** Changes whenever the file or folder changes; "-" where there is none. */
export function fileSignature(path: BytePath): string {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat === undefined ? "-" : `${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}`;
}

/**
 * The check of one repository. Folders that were checked are remembered, so that another run costs a stat for each. The folders of loose
 * objects are checked again only when the object store itself has changed.
 */
export class GitDirectoryCheck {
  readonly #sandbox: Sandbox;
  readonly #paths: RepositoryPaths;
  readonly #signatures = new Map<string, string>();
  readonly #subfolders = new Map<string, readonly BytePath[]>();
  #objectsSignature = "";

  constructor(sandbox: Sandbox, paths: RepositoryPaths) {
    this.#sandbox = sandbox;
    this.#paths = paths;
  }

  /** Throws a {@link GitError} when something leads out of the sandbox. */
  run(given: string): void {
    const { gitDir, commonDir } = this.#paths;
    for (const base of new Set([gitDir, commonDir])) {
      this.#checkFolder(base, given, false);
      for (const name of DEEP_FOLDERS) this.#checkFolder(join(base, name), given, true);
    }
    const objects = join(commonDir, "objects");
    const parts = [objects, join(objects, "pack"), join(objects, "info"), join(objects, "info", "alternates")];
    const signature = parts.map(fileSignature).join(" ");
    if (signature === this.#objectsSignature) return;
    this.#checkFolder(objects, given, true);
    this.#checkAlternates(objects, given, { left: MAX_ALTERNATES });
    this.#objectsSignature = signature;
  }

  #checkFolder(folder: BytePath, given: string, isDeep: boolean): void {
    const signature = fileSignature(folder);
    if (this.#signatures.size > MAX_FOLDERS)
      throw new GitError(
        "unsafe",
        `Refused: the git directory of ${clip(given)} has more than ${MAX_FOLDERS} folders. Clean it up with git gc.`,
      );
    const key = typeof folder === "string" ? folder : `\0${folder.toString("latin1")}`;
    if (this.#signatures.get(key) !== signature) this.#subfolders.set(key, this.#checkEntries(folder, given));
    if (isDeep) for (const subfolder of this.#subfolders.get(key) ?? []) this.#checkFolder(subfolder, given, true);
    this.#signatures.set(key, signature);
  }

  /** Checks the entries of a folder; returns its subfolders. */
  #checkEntries(folder: BytePath, given: string): BytePath[] {
    const entries = entriesOf(folder);
    for (const { path, name, entry } of entries) {
      if (entry.isFIFO() || entry.isCharacterDevice() || entry.isBlockDevice())
        throw new GitError(
          "unsafe",
          `Refused: the git directory of ${clip(given)} holds a pipe or device, on which git would wait. Remove it.`,
        );
      if (!entry.isSymbolicLink() || name === "hooks") continue;
      if (!this.#sandbox.contains(linkTarget(path))) throw outsideSandbox(given, "a link in its git directory");
    }
    return entries.filter(({ entry }) => entry.isDirectory()).map(({ path }) => path);
  }

  #checkAlternates(objects: string, given: string, count: { left: number }): void {
    const file = join(objects, "info", "alternates");
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return;
    if (!stat.isFile() || stat.size > MAX_FILE_BYTES)
      throw new GitError(
        "unsafe",
        `Refused: the list of alternate object stores of ${clip(given)} is not a plain file. Replace or remove it.`,
      );
    for (const line of readFileSync(file, "utf8").split("\n")) {
      if (line === "" || line.startsWith("#")) continue;
      // A path in C quotes is refused: the operator can write it without them.
      const path = line.startsWith('"') ? undefined : realPathOf(resolve(objects, line));
      if (path === undefined || !this.#sandbox.contains(path))
        throw outsideSandbox(given, "an alternate object store of it (objects/info/alternates)");
      if ((count.left -= 1) < 0)
        throw new GitError(
          "unsafe",
          `Refused: ${clip(given)} borrows from more than ${MAX_ALTERNATES} object stores. Repack it with git repack -ad.`,
        );
      this.#checkFolder(path, given, true);
      this.#checkAlternates(path, given, count);
    }
  }
}

interface FolderEntry {
  readonly path: BytePath;
  readonly name: string;
  readonly entry: Dirent<string | Buffer>;
}

/** Empty for an unreadable folder: git will report it. */
function entriesOf(folder: BytePath): FolderEntry[] {
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
  } catch {
    return [];
  }
}

/** The target of a link. For a dangling link: the path that would come into being. */
function linkTarget(link: BytePath): string {
  if (typeof link !== "string") return realPathOf(link) ?? "/";
  let at = link;
  for (let links = 0; links < MAX_LINKS; links++) {
    const real = realPathOf(at);
    if (real !== undefined) return real;
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true)
      at = resolve(realPathOf(dirname(at)) ?? dirname(at), readlinkSync(at));
    else {
      const folder = realPathOf(dirname(at));
      if (folder !== undefined) return join(folder, basename(at));
      // Its folder is missing too: the nearest existing one decides.
      at = dirname(at);
    }
  }
  return "/";
}

function realPathOf(path: BytePath): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

const outsideSandbox = (given: string, what: string): GitError =>
  new GitError("denied", `Access denied - ${what} leads outside the allowed repositories: ${clip(given)}`);
